using Gateway.PubSub.States;

namespace Gateway.PubSub.Readers;

/// <summary>Where the messages of a connection's readers come from. Owner: its connection.</summary>
internal interface IReaderLink : IAsyncDisposable
{
    void Start();

    /// <summary>The report with the link's part.</summary>
    ReaderConnectionReport Describe(ReaderConnectionReport report);
}
