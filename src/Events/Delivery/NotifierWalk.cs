using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>Finds the notifiers of an event's source: those from which HasEventSource and HasNotifier lead to it. The
/// Server object leads to every source, and the object of an upstream to all of that upstream. Owner: the hub, while it
/// raises an event. Source: Part 3 §7.17, §7.18.</summary>
internal sealed class NotifierWalk(NodeTable nodes)
{
    /// <summary>More notifiers above one source than any plant has; ends a faulty model.</summary>
    private const int MaxNotifiers = 1_000;

    private static readonly NodeId Server = new(StandardIds.Objects.Server);
    private static readonly NodeId HasEventSource = new(StandardIds.ReferenceTypes.HasEventSource);

    private readonly HashSet<int> _found = [];
    private readonly Queue<NodeHandle> _open = new();
    private NodeHandle _source;
    private NodeHandle _root;
    private bool _isWalked;

    public void Begin(EventRecord record) => (_source, _root, _isWalked) = (record.Source, record.Root, false);

    /// <summary>Every source is below it.</summary>
    public bool IsRoot(NodeHandle notifier) => nodes.GetNodeId(notifier) == Server;

    public bool Reaches(NodeHandle notifier)
    {
        if (notifier == _source || notifier == _root || IsRoot(notifier))
            return true;
        if (!_isWalked)
            Walk();
        return _found.Contains(notifier.Index);
    }

    /// <summary>From now on <see cref="Reaches"/> only looks up.</summary>
    public void Complete()
    {
        if (!_isWalked)
            Walk();
    }

    private void Walk()
    {
        _isWalked = true;
        _found.Clear();
        _open.Clear();
        if (!nodes.Exists(_source))
            return;
        var type = nodes.Find(HasEventSource);
        _open.Enqueue(_source);
        while (_open.TryDequeue(out var node) && _found.Count < MaxNotifiers)
        {
            foreach (var reference in nodes.References(node))
            {
                if (!reference.IsForward && !reference.IsExternal &&
                    nodes.IsSubtypeOf(reference.ReferenceType, type) && _found.Add(reference.Target.Index))
                    _open.Enqueue(reference.Target);
            }
        }
    }
}
