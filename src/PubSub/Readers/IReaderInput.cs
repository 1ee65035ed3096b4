namespace Gateway.PubSub.Readers;

/// <summary>Reads the messages of one ReaderGroup and gives them to its readers. One thread at a time.</summary>
internal interface IReaderInput
{
    /// <summary>A publisher's status is not sealed: where messages must be, silence alone says that it has ended.
    /// </summary>
    bool TakesStatus { get; }

    /// <summary>False: no reader of the group takes this publisher. Problems of a message are counted at its readers.
    /// </summary>
    /// <param name="publisher">Of the topic; null: there is none, the message says it.</param>
    /// <param name="message">Valid until the call ends.</param>
    bool TryTake(string? publisher, ReadOnlySpan<byte> message);
}
