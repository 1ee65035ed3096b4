namespace Gateway.PubSub.States;

/// <summary>The DataSetReaders of the gateway, and how they do. Threads: any.</summary>
public interface IReaderState
{
    IReadOnlyList<ReaderReport> ReadReaders();

    IReadOnlyList<ReaderConnectionReport> ReadReaderConnections();
}
