namespace Gateway.Server.Sessions;

/// <summary>The place of one session below the caps, from CreateSession to the session's end. Owner:
/// <see cref="SessionPlaces"/>; its lock guards the mutable parts.</summary>
/// <param name="address">Address of the session's first channel; empty if unknown.</param>
/// <param name="certificate">Thumbprint, verified; empty without security.</param>
internal sealed class SessionPlace(string address, string certificate)
{
    public string Address => address;

    public string Certificate => certificate;

    /// <summary>The client that the place counts for when the server must make room: its certificate, or its address
    /// without one.</summary>
    public string Holder => certificate.Length > 0 ? certificate : address;

    /// <summary>Null before the first activation.</summary>
    public string? User { get; set; }

    /// <summary>Taken from the last sixth.</summary>
    public bool IsOfReserve { get; set; }

    public bool IsTaken { get; set; }
}
