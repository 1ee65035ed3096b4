using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>Finds the notifiers of an event's source: those from which HasEventSource and HasNotifier lead to it, and
/// the Views that it is in. The Server object leads to every source, and the object of an upstream to all of that
/// upstream. The result of a source is kept until the nodes change. Owner: the hub, while it raises an event, or that
/// of refreshes. Source: Part 3 §5.4, §7.17, §7.18.</summary>
internal sealed class NotifierWalk(NodeTable nodes)
{
    /// <summary>More nodes above one source than any plant has; ends a faulty model.</summary>
    private const int MaxNodes = 1_000;

    /// <summary>Notifiers that are kept, of all sources, at 16 to 32 bytes each: some MB.</summary>
    private const int MaxKept = 200_000;

    /// <summary>As many take the memory of a set.</summary>
    private const int CountOfSet = 16;

    /// <summary>Of all sources without notifiers; nothing is added to it.</summary>
    private static readonly HashSet<NodeHandle> None = [];

    private static readonly NodeId Server = new(StandardIds.Objects.Server);
    private static readonly NodeId HasEventSource = new(StandardIds.ReferenceTypes.HasEventSource);
    private static readonly NodeId Hierarchical = new(StandardIds.ReferenceTypes.HierarchicalReferences);

    private readonly Dictionary<NodeHandle, HashSet<NodeHandle>> _kept = [];
    private readonly HashSet<NodeHandle> _seen = [];
    private readonly Queue<NodeHandle> _open = new();
    private readonly List<NodeHandle> _notifiers = [];
    private bool _isDeep;
    private volatile bool _wantsViews;
    private bool _hasViews;
    private int _keptCount;
    private int _version = -1;
    private NodeHandle _source;
    private NodeHandle _root;
    private HashSet<NodeHandle>? _found;

    public void Begin(EventRecord record)
    {
        (_source, _root, _found, _isDeep) = (record.Source, record.Root, null, false);
        _notifiers.Clear();
    }

    /// <summary>Every source is below it.</summary>
    public bool IsRoot(NodeHandle notifier) => nodes.GetNodeId(notifier) == Server;

    /// <summary>An item watches a View. Where none does, none is looked for. Any thread.</summary>
    public bool WantsViews
    {
        get => _wantsViews;
        set => _wantsViews = value;
    }

    public bool IsView(NodeHandle notifier) => nodes.GetNodeClass(notifier) == NodeClass.View;

    public bool Reaches(NodeHandle notifier) => notifier == _source || notifier == _root || IsRoot(notifier) ||
        (_found ??= Find()).Contains(notifier);

    /// <summary>All that have the event. Asked again, it only looks up.</summary>
    /// <param name="isDeep">Also others than the Server object, that of the upstream, and the source.</param>
    public List<NodeHandle> NotifiersOf(bool isDeep)
    {
        if (_notifiers.Count > 0 && _isDeep == isDeep)
            return _notifiers;
        _isDeep = isDeep;
        _notifiers.Clear();
        Add(nodes.Find(Server));
        Add(_root);
        Add(_source);
        if (!isDeep)
            return _notifiers;
        var first = _notifiers.Count;
        foreach (var one in _found ??= Find())
        {
            if (_notifiers.IndexOf(one, 0, first) < 0)
                _notifiers.Add(one);
        }

        return _notifiers;
    }

    private void Add(NodeHandle notifier)
    {
        if (!notifier.IsNone && !_notifiers.Contains(notifier))
            _notifiers.Add(notifier);
    }

    private HashSet<NodeHandle> Find()
    {
        var (version, wantsViews) = (nodes.Version, _wantsViews);
        // Views that nobody watches any more do no harm until the nodes change.
        if (_version != version || (wantsViews && !_hasViews))
        {
            Forget();
            (_version, _hasViews) = (version, wantsViews);
        }

        if (_kept.TryGetValue(_source, out var known))
            return known;
        var found = Search();
        if (found.Count == 0)
            found = None;
        var count = 2 + (found.Count > 0 ? CountOfSet + found.Count : 0);
        if (_keptCount + count > MaxKept)
            Forget();
        _kept.Add(_source, found);
        _keptCount += count;
        return found;
    }

    private void Forget()
    {
        _kept.Clear();
        _keptCount = 0;
    }

    private HashSet<NodeHandle> Search()
    {
        var found = new HashSet<NodeHandle>();
        if (!nodes.Exists(_source))
            return found;
        Walk(HasEventSource, found);
        if (!_hasViews)
            return found;
        _seen.Clear();
        Walk(Hierarchical, _seen);
        found.UnionWith(_seen.Where(node => nodes.GetNodeClass(node) == NodeClass.View));
        return found;
    }

    /// <summary>From the source upwards.</summary>
    private void Walk(NodeId kind, HashSet<NodeHandle> found)
    {
        var type = nodes.Find(kind);
        _open.Clear();
        _open.Enqueue(_source);
        while (_open.TryDequeue(out var node) && found.Count < MaxNodes)
        {
            foreach (var reference in nodes.References(node))
            {
                if (!reference.IsForward && !reference.IsExternal &&
                    nodes.IsSubtypeOf(reference.ReferenceType, type) && found.Add(reference.Target))
                    _open.Enqueue(reference.Target);
            }
        }
    }
}
