using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>The one place where a channel's end is thrown. The detail is for the operator, the public reason is a
/// constant.
/// </summary>
internal static class ConversationFault
{
    [DoesNotReturn]
    public static void MessageType(string detail) => Throw(
        StatusCodes.BadTcpMessageTypeInvalid, ChannelCloseReason.MessageTypeInvalid, detail, "Message type invalid");

    [DoesNotReturn]
    public static void TooLarge(string detail) => Throw(
        StatusCodes.BadTcpMessageTooLarge, ChannelCloseReason.MessageTooLarge, detail, "Message too large");

    [DoesNotReturn]
    public static void Malformed(string detail) => Throw(
        StatusCodes.BadDecodingError, ChannelCloseReason.Malformed, detail, "Message malformed");

    [DoesNotReturn]
    public static void BufferSize(string detail) => Throw(
        StatusCodes.BadTcpNotEnoughResources, ChannelCloseReason.Malformed, detail, "Buffer size below 8192");

    [DoesNotReturn]
    public static void NoMemory() => Throw(
        StatusCodes.BadTcpNotEnoughResources, ChannelCloseReason.MemoryBudget, "no memory for a large message",
        "Not enough memory");

    [DoesNotReturn]
    public static void EndpointUrl(string detail) => Throw(
        StatusCodes.BadTcpEndpointUrlInvalid, ChannelCloseReason.EndpointUrlInvalid, detail, "Endpoint URL invalid");

    /// <summary>One status and one text whatever the check (R13).</summary>
    [DoesNotReturn]
    public static void Security(string detail) => Throw(
        StatusCodes.BadSecurityChecksFailed, ChannelCloseReason.SecurityChecksFailed, detail, SecurityText);

    [DoesNotReturn]
    public static void Certificate(string detail) => Throw(
        StatusCodes.BadSecurityChecksFailed, ChannelCloseReason.CertificateRejected, detail, SecurityText);

    [DoesNotReturn]
    public static void Policy(StatusCode status, string detail) => Throw(
        status, ChannelCloseReason.SecurityPolicyRejected, detail, "Security policy or mode not offered");

    [DoesNotReturn]
    public static void Nonce(string detail) => Throw(
        StatusCodes.BadNonceInvalid, ChannelCloseReason.SecurityChecksFailed, detail, "Nonce invalid");

    [DoesNotReturn]
    public static void RequestType(string detail) => Throw(
        StatusCodes.BadRequestTypeInvalid, ChannelCloseReason.Malformed, detail, "Request type invalid");

    [DoesNotReturn]
    public static void ChannelUnknown(string detail) => Throw(
        StatusCodes.BadTcpSecureChannelUnknown, ChannelCloseReason.SecureChannelUnknown, detail,
        "SecureChannel unknown");

    [DoesNotReturn]
    public static void TokenUnknown(string detail) => Throw(
        StatusCodes.BadSecureChannelTokenUnknown, ChannelCloseReason.SecureChannelUnknown, detail, "Token unknown");

    [DoesNotReturn]
    public static void TokenExpired() => Throw(
        StatusCodes.BadSecureChannelTokenUnknown, ChannelCloseReason.TokenExpired, "the security token expired",
        "Token unknown");

    [DoesNotReturn]
    public static void SequenceNumber(uint expected, uint got) => Throw(
        StatusCodes.BadSequenceNumberInvalid, ChannelCloseReason.SequenceNumberInvalid,
        string.Create(CultureInfo.InvariantCulture, $"sequence number {got} where {expected} follows"),
        "Sequence number invalid");

    [DoesNotReturn]
    public static void TooBusy(int retryAfterMs, ChannelCloseReason reason, string detail) => Throw(
        StatusCodes.BadTcpServerTooBusy, reason, detail,
        string.Create(CultureInfo.InvariantCulture, $"{RefusalText.Hint}{retryAfterMs}"));

    /// <summary>Throws admission's decision, with the time at which the peer should reconnect.</summary>
    [DoesNotReturn]
    public static void Refused(in Decision decision, ChannelCloseReason reason, string detail) =>
        Throw(decision.Status, reason, detail, RefusalText.Of(decision));

    /// <summary>The stream ended inside a chunk.</summary>
    [DoesNotReturn]
    public static void Truncated() => throw new SecureChannelException(
        StatusCodes.BadConnectionClosed, ChannelCloseReason.ConnectionLost, "the stream ended inside a message", "",
        answer: false);

    /// <summary>The peer sent ERR.</summary>
    [DoesNotReturn]
    public static void Peer(ErrorMessage error) => throw new SecureChannelException(
        error.Error.IsBad ? error.Error : StatusCodes.BadConnectionClosed, ChannelCloseReason.PeerError,
        "the peer said " + error.Error + ": " + error.Reason, error.Reason ?? "", answer: false);

    [DoesNotReturn]
    private static void Throw(StatusCode status, ChannelCloseReason reason, string detail, string publicReason) =>
        throw new SecureChannelException(status, reason, detail, publicReason, answer: true);

    private const string SecurityText = "Security checks failed";
}
