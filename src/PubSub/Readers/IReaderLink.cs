using Gateway.PubSub.States;

namespace Gateway.PubSub.Readers;

/// <summary>Where the messages of a connection's readers come from. Owner: its connection, one call at a time.
/// </summary>
internal interface IReaderLink : IAsyncDisposable
{
    void Start();

    /// <summary>Gives messages to these groups from now on, also the first ones. No message is lost for a group that
    /// stays.</summary>
    /// <exception cref="InvalidOperationException">There are too many.</exception>
    void Change(IReadOnlyList<ReaderGroup> groups);

    /// <summary>The report with the link's part.</summary>
    ReaderConnectionReport Describe(ReaderConnectionReport report);
}
