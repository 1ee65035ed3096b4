using Gateway.Client.Discovery;
using Gateway.Codec.Types;

namespace Gateway.Client;

/// <summary>A service, a session or a connection that failed: the StatusCode says how. Thrown by the client only, whose
/// callers are control planes; <see cref="IsConnectionLost"/> tells whether the session is gone with it.</summary>
public sealed class ServiceException(StatusCode status, string message) : Exception($"{status}: {message}")
{
    public ServiceException()
        : this(StatusCodes.BadUnexpectedError, string.Empty)
    {
    }

    public ServiceException(string message)
        : this(StatusCodes.BadUnexpectedError, message)
    {
    }

    public ServiceException(string message, Exception innerException)
        : this(StatusCodes.BadUnexpectedError, $"{message} ({innerException?.Message})")
    {
    }

    public StatusCode Status { get; } = status;

    /// <summary>Why this client itself refused the server, where it did.</summary>
    public ConnectFault Fault { get; init; }

    /// <summary>With <see cref="ConnectFault.NoFittingEndpoint"/>: what could be asked for instead; null where all that
    /// the server offers is weaker.</summary>
    public OfferedSecurity? Offered { get; init; }

    /// <summary>When the server that refused wants to be asked again, or may be; null where nobody said.</summary>
    public TimeSpan? RetryAfter { get; set; }

    /// <summary>A session that the server may have still, because the answer to its activation was lost;
    /// <see cref="UaClient.LeaveAsync"/> closes it. Null: none.</summary>
    public ClientSession? Left { get; internal set; }

    /// <summary>The server could not be reached, did not answer, or has no time: later it may do the same. All else is
    /// its word on what was asked of it.</summary>
    internal bool IsTemporary => Status.CodeBits is StatusCodes.BadConnectionRejected
        or StatusCodes.BadConnectionClosed or StatusCodes.BadNotConnected or StatusCodes.BadSecureChannelClosed
        or StatusCodes.BadCommunicationError or StatusCodes.BadTimeout or StatusCodes.BadRequestTimeout
        or StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy or StatusCodes.BadTcpNotEnoughResources
        or StatusCodes.BadTcpInternalError or StatusCodes.BadShutdown or StatusCodes.BadServerHalted;

    /// <summary>The request's answer can never come, or the server no longer knows the session.</summary>
    public bool IsConnectionLost => Status.CodeBits is StatusCodes.BadConnectionClosed
        or StatusCodes.BadSecureChannelClosed or StatusCodes.BadSecureChannelIdInvalid
        or StatusCodes.BadSessionIdInvalid or StatusCodes.BadSessionClosed or StatusCodes.BadCommunicationError;
}
