using System.Net;
using Gateway.Admission.Clients;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>One secure conversation over one TCP connection, of either role: the peer's identity, and the way to it.
/// Identity is set before <see cref="IChannelHandler.OnOpened"/> and never changes (a renewal keeps the certificate,
/// R27). Threads: any.</summary>
public sealed class SecureChannel(IChannelLink link)
{
    private volatile bool _hasActiveSession;

    public uint ChannelId { get; init; }

    public SecurityPolicy Policy { get; init; } = SecurityPolicies.None;

    public MessageSecurityMode SecurityMode { get; init; } = MessageSecurityMode.None;

    /// <summary>The leaf, DER; empty for None.</summary>
    public byte[] PeerCertificate { get; init; } = [];

    /// <summary>The leaf and those issuers sent with it that its path goes through: what a later check needs (R31), and
    /// nothing else that a peer may have sent. The leaf alone where there are none.</summary>
    public byte[] PeerCertificateChain
    {
        get => field ?? PeerCertificate;
        init;
    }

    /// <summary>SHA-1 of the leaf, upper-case hexadecimal; empty for None.</summary>
    public string PeerThumbprint { get; init; } = "";

    /// <summary>The certificate and key of this side, for the life of the channel; null for None.</summary>
    public ApplicationCertificate? OwnCertificate { get; init; }

    /// <summary>The life of the first token that the client asked for.</summary>
    public TimeSpan RequestedLifetime { get; init; }

    public EndPoint? RemoteEndPoint { get; init; }

    /// <summary>The transport that carries it.</summary>
    public required TransportProfile Profile { get; init; }

    /// <summary>From HEL: the name by which the client reached the server.</summary>
    public string EndpointUrl { get; init; } = "";

    /// <summary>True: the policy None is not offered and this channel is for discovery only; no session may be made on
    /// it (Bad_SecurityPolicyRejected).</summary>
    public bool IsDiscoveryOnly { get; init; }

    /// <summary>Admission's record of the connection; null in the client role. Ends with the connection.</summary>
    public ClientPass? Pass { get; init; }

    /// <summary>A slot for the owner of the role's state. The transport never reads it.</summary>
    public object? Owner { get; set; }

    /// <summary>Set by the server with the session: lifts the limits before a session (R03) and keeps the channel from
    /// being recycled (R06).</summary>
    public bool HasActiveSession
    {
        get => _hasActiveSession;
        set
        {
            if (_hasActiveSession == value)
                return;
            _hasActiveSession = value;
            link.SetActiveSession(value);
        }
    }

    /// <summary>The largest message that the peer takes, TypeId and body.</summary>
    public int MaxResponseSizeBytes => link.MaxResponseSizeBytes;

    public bool IsOpen => link.IsOpen;

    /// <summary>Seals and queues; sends leave in call order, at the latest with the next <see cref="Flush"/>. The
    /// buffer's content is used up; the caller keeps the buffer and resets or disposes it.</summary>
    /// <param name="message">Made with <see cref="MessageLayout.Headroom"/>; holds TypeId and structure.</param>
    /// <param name="requestId">Of the request that it answers; a client's own otherwise.</param>
    /// <returns>Good; Bad_ResponseTooLarge or Bad_RequestTooLarge, nothing was sent and the buffer is as it was;
    /// Bad_SecureChannelClosed.</returns>
    public StatusCode Send(PooledBuffer message, uint requestId) => link.Send(message, requestId);

    /// <summary>An abort chunk: the message of this request will not come. Source: Part 6 §6.7.2.2.</summary>
    public StatusCode SendAbort(uint requestId, StatusCode error, string reason) =>
        link.SendAbort(requestId, error, reason);

    /// <summary>One flush for all sends before it. Does nothing where there is nothing.</summary>
    public void Flush() => link.Flush();

    /// <summary>During <see cref="IChannelHandler.OnMessage"/> only: the message is not done with when that returns,
    /// and the channel's next one waits for its end.</summary>
    public void WaitFor(IUnfinishedRequest request) => link.WaitFor(request);

    /// <summary>During <see cref="IChannelHandler.OnMessage"/> only: the message's memory becomes the caller's, who
    /// disposes of it, and the message stays valid as long. Null where it came in one chunk: then it is to be copied.
    /// </summary>
    public PooledBuffer? TakeMessage() => link.TakeMessage();

    /// <summary>ERR to the peer, then closed and counted.</summary>
    /// <param name="reason">The status that the peer sees.</param>
    /// <param name="detail">For the operator; never leaves the process (R17).</param>
    public void Abort(StatusCode reason, string detail) => link.Abort(reason, detail);

    /// <summary>Orderly: sent messages leave; a client says CLO.</summary>
    public void Close() => link.Close();
}
