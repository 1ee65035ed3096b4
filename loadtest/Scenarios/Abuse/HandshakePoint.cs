namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>A point of a handshake, by the messages that have gone over the wire until then.</summary>
/// <param name="Name">For the report.</param>
/// <param name="Sent">Reached when the client has sent so many; 0: see <paramref name="Answered"/>.</param>
/// <param name="Answered">Reached when the server has sent so many.</param>
internal sealed record HandshakePoint(string Name, int Sent, int Answered)
{
    public static HandshakePoint SessionCreated { get; } = new("CreateSession answered", 0, 3);

    /// <summary>In the order of the handshake; the first is the bare connection.</summary>
    public static IReadOnlyList<HandshakePoint> All { get; } =
    [
        new("TCP", 0, 0),
        new("HEL sent", 1, 0),
        new("ACK received", 0, 1),
        new("OPN sent", 2, 0),
        new("OPN answered", 0, 2),
        new("CreateSession sent", 3, 0),
        SessionCreated,
        new("ActivateSession sent", 4, 0),
        new("active", 0, 4),
        new("subscribed", 0, 5),
    ];

    public bool IsReached(int sent, int answered) =>
        (Sent > 0 && sent >= Sent) || (Answered > 0 && answered >= Answered) || (Sent == 0 && Answered == 0);
}
