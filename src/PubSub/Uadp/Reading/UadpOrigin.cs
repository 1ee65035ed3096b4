namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Which seal of a publisher a message has: no other message has it. The default: it is not sealed.</summary>
/// <param name="Key">Fingerprint of its key.</param>
/// <param name="Number">SequenceNumber of its nonce; with one key it only rises.</param>
internal readonly record struct UadpOrigin(string? Key, uint Number);
