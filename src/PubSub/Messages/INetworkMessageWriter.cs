namespace Gateway.PubSub.Messages;

/// <summary>Writes the NetworkMessages of one WriterGroup in one mapping, into buffers that it keeps: 0 B a message in
/// the steady state. Owner: the group's loop.</summary>
public interface INetworkMessageWriter
{
    /// <summary>A new message. The message before is gone.</summary>
    /// <param name="messageId">Unique: a subscriber drops what it knows. A mapping without a place for it ignores it.
    /// </param>
    /// <param name="timestamp">UTC.</param>
    void Begin(Guid messageId, DateTime timestamp);

    /// <summary>False: the frame does not fit this message, or holds what the mapping cannot write; the message stands
    /// as it was before.</summary>
    bool TryAdd(in DataSetFrame frame);

    /// <summary>Why no message can be made now, whatever it holds, in words; null: it can.</summary>
    string? Hindrance => null;

    /// <summary>The version of the group's layout, for the messages from now on. Source: Part 14 §6.2.6.1.</summary>
    void UseGroupVersion(uint version)
    {
    }

    /// <summary>Bytes so far.</summary>
    int Length { get; }

    /// <summary>The message, or its first part, valid until the next <see cref="Begin"/>.</summary>
    ReadOnlyMemory<byte> End();

    /// <summary>Of the message that has ended: above 1 it goes out in chunks. 0: it could not be made.</summary>
    int PartCount => 1;

    /// <summary>Each part is the message of one field, on a topic of its own; there are no keep-alives and no metadata.
    /// </summary>
    bool IsPlain => false;

    /// <summary>Empty: that of the writer.</summary>
    ReadOnlySpan<byte> TopicOf(int index) => default;

    /// <summary>One of them; valid as <see cref="End"/>.</summary>
    ReadOnlyMemory<byte> Part(int index) => End();
}
