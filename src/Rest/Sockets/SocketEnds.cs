using System.Net.WebSockets;
using Gateway.Admission.Stages;

namespace Gateway.Rest.Sockets;

/// <summary>The close code and the words of each end. Source: RFC 6455 §7.4.1.</summary>
internal static class SocketEnds
{
    /// <summary>1013 of the IANA registry, which the framework has no name for.</summary>
    private const WebSocketCloseStatus TryAgainLater = (WebSocketCloseStatus)1013;

    private static readonly string[] Labels = EnumLabels.Of<SocketEnd>();

    /// <summary>Reasons only.</summary>
    public static IReadOnlyList<SocketEnd> All { get; } =
        [.. Enum.GetValues<SocketEnd>().Where(static end => end != SocketEnd.None)];

    public static string LabelOf(SocketEnd end) => Labels[(int)end];

    public static (WebSocketCloseStatus Code, string Words) Of(SocketEnd end) => end switch
    {
        SocketEnd.Shutdown => (WebSocketCloseStatus.EndpointUnavailable, "the gateway stops"),
        SocketEnd.Malformed => (WebSocketCloseStatus.ProtocolError, "no frame of a client"),
        SocketEnd.WrongKind => (WebSocketCloseStatus.InvalidMessageType, "the other kind of frame is expected"),
        SocketEnd.TooLarge => (WebSocketCloseStatus.MessageTooBig, "the message is too large"),
        SocketEnd.TooSlow => (WebSocketCloseStatus.PolicyViolation, "the message came too slowly"),
        SocketEnd.LoginTime => (WebSocketCloseStatus.PolicyViolation, "no login"),
        SocketEnd.Idle => (WebSocketCloseStatus.PolicyViolation, "nothing is watched and nothing was asked"),
        SocketEnd.UserExpired => (WebSocketCloseStatus.PolicyViolation, "the token has expired"),
        SocketEnd.UserRefused => (
            WebSocketCloseStatus.PolicyViolation, "the certificate of the user is no longer trusted"),
        SocketEnd.OpRate => (WebSocketCloseStatus.PolicyViolation, "too many messages a second"),
        SocketEnd.ControlFrames => (WebSocketCloseStatus.PolicyViolation, "too many empty frames a second"),
        SocketEnd.NoMemory or SocketEnd.StreamClosed => (TryAgainLater, "try again later"),
        SocketEnd.Failed => (WebSocketCloseStatus.InternalServerError, "it could not go on"),
        _ => (WebSocketCloseStatus.NormalClosure, ""),
    };
}
