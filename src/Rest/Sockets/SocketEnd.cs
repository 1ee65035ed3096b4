namespace Gateway.Rest.Sockets;

/// <summary>Why a WebSocket has ended; a label of metrics.</summary>
public enum SocketEnd
{
    None,

    /// <summary>The peer has closed it.</summary>
    Closed,

    /// <summary>The peer has gone without a word.</summary>
    Lost,

    /// <summary>The server stops.</summary>
    Shutdown,

    /// <summary>No WebSocket frames, or text that is not UTF-8.</summary>
    Malformed,

    /// <summary>Binary where text is expected, or the other way round.</summary>
    WrongKind,
    TooLarge,

    /// <summary>A message did not come to its end in time.</summary>
    TooSlow,
    LoginTime,
    Idle,

    /// <summary>The token of its user has expired.</summary>
    UserExpired,

    /// <summary>The certificate of its user is no longer trusted.</summary>
    UserRefused,

    /// <summary>Many messages above their rate, in spite of the errors.</summary>
    OpRate,

    /// <summary>Frames without data above their rate.</summary>
    ControlFrames,

    /// <summary>It took nothing for the write deadline.</summary>
    Late,
    NoMemory,

    /// <summary>The stream was closed by a limit.</summary>
    StreamClosed,

    /// <summary>A fault of ours.</summary>
    Failed,
}
