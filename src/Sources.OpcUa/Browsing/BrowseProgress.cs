using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>
/// Tells how far one browse of an upstream is, by ProgressEventTypes on its object: none in its first second, then one
/// a second at most, and 100 at its end if there was one before. How many nodes there are is known at the end alone:
/// until then the share is an estimate, which never falls. Owner: the connector's loop. Source: Part 5 §6.4.33.
/// </summary>
internal sealed class BrowseProgress
{
    private const ushort Severity = 100;
    private const ushort Whole = 100;

    /// <summary>Of a step of which nobody knows how long it is: half of it is over after so many.</summary>
    private const double HalfOfRequests = 20;

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly EventHub? _events;
    private readonly NodeTable _nodes;
    private readonly TimeProvider _time;
    private readonly string _upstream;
    private readonly NodeId _root;
    private long _toldAt;
    private bool _hasTold;
    private (int From, int To, long Requests) _step;
    private long _requests;
    private int _percent;

    /// <param name="context">Where the events go.</param>
    /// <param name="upstream">Its name.</param>
    public BrowseProgress(UpstreamContext context, string upstream)
    {
        (_events, _nodes, _time, _upstream) = (context.Conditions?.Hub, context.Nodes, context.Time, upstream);
        _root = new NodeId(upstream, _nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri));
        _toldAt = _time.GetTimestamp();
    }

    /// <summary>The next step of the browse.</summary>
    /// <param name="from">Percent of the whole that are over.</param>
    /// <param name="to">Percent behind the step.</param>
    /// <param name="requests">About so many; 0: nobody knows.</param>
    public void Begin(int from, int to, long requests = 0) => (_step, _requests) = ((from, to, requests), 0);

    /// <summary>Before each request.</summary>
    public void OnRequest()
    {
        var done = _requests++;
        var share = _step.Requests > 0
            ? Math.Min(1, (double)done / _step.Requests)
            : done / (done + HalfOfRequests);
        _percent = Math.Max(_percent, _step.From + (int)((_step.To - _step.From) * share));
        if (_time.GetElapsedTime(_toldAt) >= Interval)
            Tell((ushort)_percent, $"The nodes of {_upstream} are browsed.");
    }

    /// <param name="isWhole">All nodes were browsed.</param>
    public void End(bool isWhole)
    {
        if (_hasTold)
            Tell(Whole, isWhole
                ? $"The nodes of {_upstream} have been browsed."
                : $"The browse of {_upstream} has ended without a result.");
    }

    private void Tell(ushort percent, string message)
    {
        _toldAt = _time.GetTimestamp();
        _hasTold = true;
        if (_events is not { IsWatched: true } || !ConditionSource.TryFind(_nodes, _root, out var source))
            return;
        var made = _events.Maker.Make(StandardEvents.Progress, source, _upstream, message, Severity);
        var values = made.Values.ToArray();
        // No session's call: the context is the work itself.
        values[StandardEvents.BaseFieldCount] = new Variant(string.Create(
            CultureInfo.InvariantCulture, $"Browse {_upstream}"));
        values[StandardEvents.BaseFieldCount + 1] = new Variant(percent);
        _events.Raise(new EventRecord(made.Layout, values, made.Source));
    }
}
