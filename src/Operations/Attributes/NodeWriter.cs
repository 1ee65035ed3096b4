using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Attributes;

/// <summary>Writes values that <see cref="WritePlanner"/> accepted: each source gets all its values in one call (R08).
/// Thread-safe. Source: Part 4 §5.11.4.</summary>
public sealed class NodeWriter(NodeAccess access)
{
    /// <summary>The results of all values of the plan; the caller may reuse the plan when this returns. Values that the
    /// present user may not write are not passed on (R16).</summary>
    public ValueTask<StatusCode[]> WriteAsync(
        IRequester requester, WritePlan plan, CancellationToken cancellationToken)
    {
        var work = new Dictionary<INodeSource, List<PlannedWrite>>(1, ReferenceEqualityComparer.Instance);
        foreach (ref readonly var planned in plan.Writes)
        {
            if (!work.TryGetValue(planned.Source, out var writes))
                work[planned.Source] = writes = [];
            writes.Add(planned);
        }

        return WriteAsync(requester, work, plan.Results.ToArray(), cancellationToken);
    }

    private async ValueTask<StatusCode[]> WriteAsync(
        IRequester requester, Dictionary<INodeSource, List<PlannedWrite>> work, StatusCode[] results,
        CancellationToken cancellationToken)
    {
        foreach (var (source, writes) in work)
        {
            if (requester.IsUserChanged)
                DropForbidden(requester.PresentCaller, writes, results);
            if (writes.Count == 0)
                continue;
            var part = new SourceWrite[writes.Count];
            var written = new StatusCode[writes.Count];
            for (var i = 0; i < part.Length; i++)
                part[i] = writes[i].Write;
            var writing = source is ISharedSource shared
                ? shared.WriteAsync(part, written, requester.Caller.Account, cancellationToken)
                : source.WriteAsync(part, written, cancellationToken);
            await writing.ConfigureAwait(false);
            for (var i = 0; i < part.Length; i++)
                results[writes[i].Index] = written[i];
        }

        return results;
    }

    private void DropForbidden(Caller caller, List<PlannedWrite> writes, StatusCode[] results)
    {
        for (var i = writes.Count - 1; i >= 0; i--)
        {
            var status = access.CheckWrite(caller, writes[i].Write.Node);
            if (!status.IsBad)
                continue;
            results[writes[i].Index] = status;
            writes.RemoveAt(i);
        }
    }
}
