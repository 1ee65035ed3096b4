namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Messages that one publisher has sealed with one key, and that it counts together.</summary>
/// <param name="Publisher">Null: the messages do not say.</param>
/// <param name="MessageType">Bits of ExtendedFlags2.</param>
/// <param name="WriterGroupId">Null: the messages do not say.</param>
/// <param name="WriterId">Of the first writer, where there is no group; else 0.</param>
/// <param name="Key">Fingerprint of the key: a token id may come again with another one.</param>
internal readonly record struct UadpStream(
    UadpPublisherId? Publisher, int MessageType, ushort? WriterGroupId, ushort WriterId, string Key);
