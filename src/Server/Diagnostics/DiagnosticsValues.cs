using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Sessions;

namespace Gateway.Server.Diagnostics;

/// <summary>The values of the nodes below ServerDiagnostics, by node. The arrays read one session or subscription at a
/// time and hold no lock across two of them. Source: Part 5 §12.9 to §12.15.</summary>
internal sealed class DiagnosticsValues
{
    private readonly SessionManager _sessions;
    private readonly PublishEngine _publishing;
    private readonly SummaryDiagnostics _summary;
    private readonly SessionDiagnostics _session;

    public DiagnosticsValues(
        ServerOptions options, NodeTable nodes, SessionManager sessions, PublishEngine publishing,
        ServerCounters counters, TimeProvider clock)
    {
        _sessions = sessions;
        _publishing = publishing;
        _summary = new SummaryDiagnostics(counters, publishing);
        _session = new SessionDiagnostics(options, clock);
        EnabledFlag = nodes.Find(new NodeId(DiagnosticsNodes.EnabledFlag));
        foreach (var (id, value) in _summary.Nodes())
            Scalars[nodes.Find(new NodeId(id))] = value;
        AddArray(DiagnosticsNodes.Subscriptions, MakeSubscriptions);
        AddArray(DiagnosticsNodes.Sessions, () => OfSessions(_session.Make));
        AddArray(DiagnosticsNodes.SessionSecurity, () => OfSessions(SessionDiagnostics.MakeSecurity));
        void AddArray(uint id, Func<ExtensionObject[]> make) =>
            Arrays[nodes.Find(new NodeId(id))] = new SharedRead(make, clock);
    }

    public NodeHandle EnabledFlag { get; }

    public Dictionary<NodeHandle, Func<Variant>> Scalars { get; } = [];

    public Dictionary<NodeHandle, SharedRead> Arrays { get; } = [];

    /// <summary>Restarts all counts, except those of the single subscriptions.</summary>
    public void Reset()
    {
        _summary.Reset();
        foreach (var session in _sessions.Sessions)
            session.Counts.Reset();
    }

    private ExtensionObject[] OfSessions<T>(Func<Session, T> make)
        where T : class, IStructure
    {
        var entries = new List<ExtensionObject>(_sessions.Count);
        foreach (var session in _sessions.Sessions)
        {
            if (!session.IsClosed)
                entries.Add(new ExtensionObject(make(session)));
        }

        return [.. entries];
    }

    private ExtensionObject[] MakeSubscriptions()
    {
        var found = new List<SubscriptionDiagnosticsDataType>(_publishing.Counters.Subscriptions);
        _publishing.ReadSubscriptionDiagnostics(found);
        var entries = new ExtensionObject[found.Count];
        for (var i = 0; i < entries.Length; i++)
            entries[i] = new ExtensionObject(found[i]);
        return entries;
    }
}
