namespace Gateway.Admission.Handshakes;

internal enum LeaseState : byte
{
    /// <summary>Not taken, given back, or lapsed.</summary>
    Free,

    /// <summary>Held while the peer has its say; lapses.</summary>
    Silent,

    /// <summary>Held: an OPN waits for us.</summary>
    Working,

    /// <summary>The connection is gone: it takes none any more.</summary>
    Closed,
}
