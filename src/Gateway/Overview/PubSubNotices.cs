using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.PubSub.States;
using Gateway.Rest.Overview;
using Gateway.Store;

namespace Gateway.Host.Overview;

/// <summary>Connections of PubSub that are away, and their stores that fill or fail.</summary>
internal sealed class PubSubNotices(IPubSubState state, IReaderState readers) : INoticeSource
{
    private const double NearlyFull = 0.8;

    public IEnumerable<Notice> Read() =>
    [
        .. state.ReadConnections().SelectMany(OfConnection),
        .. readers.ReadReaders().Where(static one => one.State == PubSubState.Error).Select(static one => new Notice(
            "pubsub", $"{one.Connection}/{one.Name}", true, $"The reader {one.Name} gets no data any more.",
            "Look at its publisher and at the broker.")),
    ];

    private static IEnumerable<Notice> OfConnection(ConnectionReport one)
    {
        if (one.State != PubSubState.Operational)
            yield return new Notice(
                "pubsub", one.Name, true, $"{one.Name} has no connection: {one.Detail}",
                "Look at the broker and at the address, user and password of this connection.")
            {
                PublicWords = $"{one.Name} has no connection.",
            };
        foreach (var group in one.Groups.Where(static group => group.Hindrance is not null))
            yield return new Notice(
                "pubsub", $"{one.Name}/{group.Name}", true, $"{group.Name} publishes nothing: {group.Hindrance}",
                "Look at the file of the group's KeysPath: it needs a key that is valid now and not used up.")
            {
                PublicWords = $"{group.Name} publishes nothing.",
            };
        if (one.Store is not { } store)
            yield break;
        if (store.LastError is { Length: > 0 } error)
            yield return new Notice(
                "disk", one.Name, !store.IsWriting, $"The store of {one.Name} has an error of its disk: {error}",
                "Look at the disk of StorePath: room, rights, health.")
            {
                PublicWords = $"The store of {one.Name} has an error of its disk.",
            };
        if (store.StoredBytes >= NearlyFull * store.MaxBytes)
            yield return Full(one.Name, store);
    }

    private static Notice Full(string name, StoreState store) => new(
        "store", name, store.StoredBytes >= store.MaxBytes,
        string.Create(
            CultureInfo.InvariantCulture,
            $"The store of {name} is {100.0 * store.StoredBytes / store.MaxBytes:0} % full; {store.Lost} lost."),
        "Bring the broker back, or raise StoreMaxBytes: a full store loses its oldest messages.");
}
