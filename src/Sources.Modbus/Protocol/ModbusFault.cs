namespace Gateway.Sources.Modbus.Protocol;

/// <summary>The fault of a request.</summary>
internal enum ModbusFault
{
    /// <summary>The device answered with an exception code. The connection stays.</summary>
    Refused,

    /// <summary>No answer within the time. The connection stays, unless it was not the first one in a row.
    /// </summary>
    Timeout,

    /// <summary>The connection ended.</summary>
    ConnectionLost,

    /// <summary>An answer is not Modbus, or none to this request. The gateway ends the connection: what comes next
    /// on it cannot be told apart.</summary>
    Garbage,
}
