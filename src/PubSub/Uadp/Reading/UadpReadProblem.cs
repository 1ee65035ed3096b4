namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Why a NetworkMessage was not taken, or not yet.</summary>
internal enum UadpReadProblem
{
    None,

    /// <summary>A chunk; others are still missing. No problem.</summary>
    Waiting,

    /// <summary>A chunk that came before. No harm.</summary>
    Repeated,

    /// <summary>Bytes that are no such message.</summary>
    Malformed,

    /// <summary>Another UADPVersion, a reserved value, or a type of message that this gateway does not read.</summary>
    Unsupported,

    /// <summary>Above a limit.</summary>
    TooLarge,

    /// <summary>Less security than configured.</summary>
    SecurityModeTooLow,

    /// <summary>No key has its token id.</summary>
    UnknownKey,

    /// <summary>Its signature is not that of its key.</summary>
    BadSignature,

    /// <summary>Its sequence number was there before, or is too old.</summary>
    Replayed,

    /// <summary>A chunk that overlaps another one or contradicts it.</summary>
    ChunkContradicts,

    /// <summary>A chunk for which there is no room now.</summary>
    ChunksFull,
}
