using Gateway.AddressSpace.Nodes;
using Gateway.Operations.Access;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;

namespace Gateway.PubSub.DataSets;

/// <summary>A data set, with the fields that it has at present. Changes of the address space mark it; the service looks
/// again and again whether it is marked, so that groups never wait for a look. Threads: any.</summary>
public sealed class PublishedDataSet : INodeListener, IDisposable
{
    private const int RestsPerLook = 10;

    private readonly Lock _lock = new();
    private readonly DataSetResolver _resolver;
    private readonly NodeTable _nodes;
    private readonly Caller _caller;
    private readonly TimeProvider _time;
    private readonly NodePattern[] _patterns;
    private readonly IDisposable _listening;
    private readonly VersionFile? _versions;
    private int _isStale = 1;
    private long _restsUntil;
    private volatile DataSetLayout? _layout;
    private volatile bool _isFound;

    /// <param name="options">Without errors.</param>
    /// <param name="resolver">Finds the fields.</param>
    /// <param name="nodes">Tells of changes.</param>
    /// <param name="caller">The publisher.</param>
    /// <param name="time">The clock of versions.</param>
    /// <param name="versions">Of earlier processes; null: there are none.</param>
    /// <param name="before">The layout of the data set of that name which this one replaces; null: there is none.
    /// </param>
    public PublishedDataSet(
        DataSetOptions options, DataSetResolver resolver, NodeTable nodes, Caller caller, TimeProvider time,
        VersionFile? versions = null, DataSetLayout? before = null)
    {
        (_versions, _layout) = (versions, before);
        (Options, _resolver, _nodes, _caller, _time) = (options, resolver, nodes, caller, time);
        _patterns =
        [
            .. options.Fields.Select(static one => NodePattern.Parse(one.Node)!.With(one)),
            .. options.Nodes.Select(static text => NodePattern.Parse(text)!),
        ];
        if (options.IsOfEvents)
            _patterns = [NodePattern.Parse(options.EventNotifier)!];
        _listening = nodes.Listen(this);
    }

    public DataSetOptions Options { get; }

    /// <summary>Variables that the layout has no room for.</summary>
    public int Refused { get; private set; }

    /// <summary>As found last.</summary>
    public DataSetLayout Layout => _isFound ? _layout! : Refresh();

    /// <summary>As <see cref="Refresh"/>, but rests ten times as long as the last look took: one over a million nodes
    /// that change all the time must not take a core.</summary>
    public void Follow()
    {
        var start = _time.GetTimestamp();
        if (start < Volatile.Read(ref _restsUntil))
            return;
        Refresh();
        var end = _time.GetTimestamp();
        Volatile.Write(ref _restsUntil, end + (RestsPerLook * (end - start)));
    }

    /// <summary>Looks again if the address space has changed since the last time. The layout stays the same object
    /// where its fields do.</summary>
    public DataSetLayout Refresh()
    {
        if (Interlocked.Exchange(ref _isStale, 0) == 0 && _isFound)
            return _layout!;
        lock (_lock)
        {
            var events = default(EventSelection);
            var refused = 0;
            var fields = Options.IsOfEvents
                ? _resolver.ResolveEvents(_caller, _patterns[0], Options, out events)
                : _resolver.Resolve(_caller, _patterns, out refused);
            Refused = refused;
            var before = _layout;
            var layout = DataSetLayout.Create(
                Options.Name, fields, _nodes, before, _time.GetUtcNow().UtcDateTime, _versions, events);
            if (before is not null && IsSame(before, layout))
                layout = layout.Fields.SequenceEqual(before.Fields) && EventSelection.IsSame(before.Events, events)
                    ? before
                    : before.With(layout.Fields, events);
            _layout = layout;
            _isFound = true;
            return layout;
        }
    }

    public DataSetReport Report()
    {
        var layout = Layout;
        return new DataSetReport(
            Options.Name, layout.Fields.Count, MissingOf(layout), Refused,
            layout.Version.MajorVersion, layout.Version.MinorVersion);
    }

    /// <summary>Without its notifier no field of an event data set comes.</summary>
    private static int MissingOf(DataSetLayout layout) => layout.Events is { } events
        ? events.Notifier.IsNull ? layout.Fields.Count : 0
        : layout.Fields.Count(static field => field.Node.IsNull);

    public void OnApplied(in NodeChanges changes) => Volatile.Write(ref _isStale, 1);

    public void Dispose() => _listening.Dispose();

    /// <summary>For a subscriber.</summary>
    private static bool IsSame(DataSetLayout before, DataSetLayout now) =>
        before.Fields.Select(static one => (one.Name, one.Node))
            .SequenceEqual(now.Fields.Select(static one => (one.Name, one.Node))) &&
        (before.MetaData.Fields ?? []).Zip(now.MetaData.Fields ?? []).All(static pair =>
            pair.First.DataType == pair.Second.DataType && pair.First.ValueRank == pair.Second.ValueRank);
}
