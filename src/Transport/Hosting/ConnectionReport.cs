using System.Net;
using Gateway.Admission.Clients;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Hosting;

/// <summary>One connection of UA-TCP as an operator sees it.</summary>
/// <param name="Serial">Its number since the start.</param>
/// <param name="Place">Its place in the pages.</param>
/// <param name="Client">Admission's record of it.</param>
/// <param name="RemoteEndPoint">Where it comes from.</param>
/// <param name="Channel">Null: none is open yet.</param>
public sealed record ConnectionReport(
    long Serial, int Place, ClientPass Client, EndPoint? RemoteEndPoint, SecureChannel? Channel)
{
    public required ConnectionState State { get; init; }

    /// <summary>Since it was accepted.</summary>
    public required TimeSpan Age { get; init; }

    /// <summary>Since its last whole chunk.</summary>
    public required TimeSpan Idle { get; init; }

    /// <summary>Since when its peer takes nothing of what waits for it; null: it does.</summary>
    public TimeSpan? Stalled { get; init; }

    /// <summary>Half-received messages and unsent answers.</summary>
    public long HeldBytes { get; init; }

    /// <summary>Of its HEL; empty before that.</summary>
    public string EndpointUrl { get; init; } = "";
}
