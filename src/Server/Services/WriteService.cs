using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;
using Gateway.Server.Attributes;
using Gateway.Server.Audit;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>Write: all values of one source go to it in one call; answered on the same thread where every source is
/// done at once. Source: Part 4 §5.11.4.</summary>
internal sealed class WriteService(
    WritePlanner planner, DelayedCalls delayed, AuditLog audit, ServerLimits limits)
{
    public StatusCode Write(ref ServiceCall call)
    {
        if (!call.TryDecode<WriteRequest>(out var request))
            return call.Whole.Status;
        var status = Operations.Check(request.NodesToWrite, limits.MaxNodesPerWrite);
        if (status.IsBad)
            return status;

        var results = new StatusCode[request.NodesToWrite!.Length];
        var work = Plan(call.Session, request.NodesToWrite, results);
        if (work.Count == 0)
            return call.Reply(new WriteResponse { Results = results });
        var pending = delayed.TryBegin(ref call);
        if (pending is null)
            return StatusCodes.BadServerTooBusy;
        _ = delayed.RunAsync(pending, WriteAsync(work, results, pending.CancellationToken));
        return StatusCode.Good;
    }

    private Dictionary<INodeSource, List<(int Index, SourceWrite Write)>> Plan(
        Session session, WriteValue[] values, StatusCode[] results)
    {
        var work = new Dictionary<INodeSource, List<(int, SourceWrite)>>(1, ReferenceEqualityComparer.Instance);
        var roles = session.Identity?.Roles ?? Roles.None;
        for (var i = 0; i < values.Length; i++)
        {
            results[i] = planner.Plan(roles, values[i], out var source, out var write);
            if (results[i].CodeBits == StatusCodes.BadUserAccessDenied)
                audit.Session(AuditEvent.WriteRefused, session, results[i], values[i].NodeId.ToString());
            if (source is null || results[i].IsBad)
                continue;
            if (!work.TryGetValue(source, out var writes))
                work[source] = writes = [];
            writes.Add((i, write));
        }

        return work;
    }

    private static async ValueTask<WriteResponse> WriteAsync(
        Dictionary<INodeSource, List<(int Index, SourceWrite Write)>> work, StatusCode[] results,
        CancellationToken cancellationToken)
    {
        foreach (var (source, writes) in work)
        {
            var part = new SourceWrite[writes.Count];
            var written = new StatusCode[writes.Count];
            for (var i = 0; i < part.Length; i++)
                part[i] = writes[i].Write;
            await source.WriteAsync(part, written, cancellationToken).ConfigureAwait(false);
            for (var i = 0; i < part.Length; i++)
                results[writes[i].Index] = written[i];
        }

        return new WriteResponse { Results = results };
    }
}
