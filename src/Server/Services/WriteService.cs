using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>
/// Write. Decodes and checks the whole request before it writes anything. If every source takes its values immediately,
/// the same thread writes the response without an allocation. Otherwise each source gets all its values in one call,
/// and the request waits (R08). Source: Part 4 §5.11.4.
/// </summary>
internal sealed class WriteService(
    WritePlanner planner, NodeWriter writes, RangeWork ranges, NodeTable nodes, ValueStore values,
    NodeAccess access, DelayedCalls delayed, AuditLog audit, ServerLimits limits)
{
    /// <summary>NodeId 2, AttributeId 4, IndexRange 4, DataValue 1.</summary>
    private const int MinimumWriteValueBytes = 11;

    /// <summary>Below this the check of a value is free: the number of operations bounds it (R44).</summary>
    private const int FreeUnits = 8;

    public StatusCode Write(ref ServiceCall call)
    {
        var reader = call.Body;
        var count = reader.ReadArrayLength(MinimumWriteValueBytes);
        if (reader.Failed)
            return reader.Status;
        var status = OperationCount.Check(count, limits.MaxNodesPerWrite);
        if (status.IsBad)
            return status;
        var plan = WritePlan.Take(count);
        try
        {
            if (!TryPlan(ref call, ref reader, plan))
                return call.Defer();
            if (reader.Failed)
                return reader.Status;
            if (!plan.IsDirect)
                return Begin(ref call, plan);
            var facts = FactsBefore(ref call, plan);
            plan.Write();
            TellWritten(ref call, plan, facts);
            return Answer(ref call, plan.Results);
        }
        finally
        {
            plan.Return();
        }
    }

    /// <summary>False: the index ranges of large values are too much work for the connection's thread; nothing was
    /// written.</summary>
    private bool TryPlan(ref ServiceCall call, ref UaBinaryReader reader, WritePlan plan)
    {
        List<NodeId>? refused = null;
        List<AuditFacts>? facts = audit.WantsFacts ? [] : null;
        var caller = call.Caller;
        var results = plan.Results;
        var isSpent = false;
        for (var i = 0; i < results.Length; i++)
        {
            var value = WriteValue.Decode(ref reader);
            if (reader.Failed)
                break;
            if (isSpent)
            {
                results[i] = StatusCodes.BadResourceUnavailable;
                continue;
            }

            results[i] = planner.Plan(caller, value, out var source, out var write, out var units);
            if (units > FreeUnits && !RangeWork.MayGoOn(ref call, units, out isSpent))
            {
                if (!isSpent)
                    return false;
                results[i] = StatusCodes.BadResourceUnavailable;
            }

            if (AccessPolicy.IsRefusal(results[i]) && (refused ??= []).Count < limits.MaxAuditLinesPerSecond)
            {
                refused.Add(value.NodeId);
                facts?.Add(FactsOf(value, call.Head.EntryIdIn(call.Message)));
            }

            if (write.IndexRange is not null && !ranges.MayGoOn(ref call, write.Node, out isSpent))
            {
                if (!isSpent)
                    return false;
                results[i] = StatusCodes.BadResourceUnavailable;
            }

            if (source is not null && !results[i].IsBad)
                plan.Accept(i, source, write);
        }

        if (refused is not null)
            Tell(ref call, results, refused, facts);
        return true;
    }

    /// <summary>Counts all refusals; makes text only for those that get a line (R24, R44).</summary>
    private void Tell(
        ref ServiceCall call, ReadOnlySpan<StatusCode> results, List<NodeId> refused, List<AuditFacts>? facts)
    {
        var next = 0;
        foreach (var status in results)
        {
            if (!AccessPolicy.IsRefusal(status))
                continue;
            var place = next++;
            if (!audit.TryList(AuditEvent.WriteRefused, status))
                continue;
            // Nodes are kept only up to the lines of one second; a request that spans two seconds may list one more.
            var words = place < refused.Count
                ? access.RefusalInWords(call.Caller, refused[place], PermissionType.Write)
                : null;
            audit.List(
                AuditEvent.WriteRefused, call.Session, status, words,
                facts: place < facts?.Count ? facts[place] : default);
        }
    }

    private static AuditFacts FactsOf(in WriteValue value, string? entryId) => new()
    {
        EntryId = entryId,
        Node = value.NodeId,
        AttributeId = value.AttributeId,
        IndexRange = value.IndexRange,
        NewValue = value.Value.Value,
    };

    /// <summary>The facts of each value for audit events, as many as may be listed; before the values are written.
    /// Null: nobody listens.</summary>
    private AuditFacts[]? FactsBefore(ref ServiceCall call, WritePlan plan)
    {
        if (!audit.WantsFacts)
            return null;
        var entryId = call.Head.EntryIdIn(call.Message);
        var facts = new AuditFacts[Math.Min(plan.Writes.Length, limits.MaxAuditLinesPerSecond)];
        for (var i = 0; i < facts.Length; i++)
        {
            var write = plan.Writes[i].Write;
            facts[i] = new AuditFacts
            {
                EntryId = entryId,
                Node = nodes.GetNodeId(write.Node),
                IndexRange = write.IndexRange,
                OldValue = values.Contains(write.Node) ? values.Read(write.Node).Value : default,
                NewValue = write.Value.Value,
            };
        }

        return facts;
    }

    private void TellWritten(ref ServiceCall call, WritePlan plan, AuditFacts[]? facts)
    {
        var listed = audit.Take(AuditEvent.Written, plan.Writes.Length);
        for (var i = 0; i < listed; i++)
        {
            ref readonly var write = ref plan.Writes[i];
            List(call.Session, call.Identity, write.Write.Node, plan.Results[write.Index], FactsAt(facts, i));
        }
    }

    private static AuditFacts FactsAt(AuditFacts[]? facts, int place) =>
        place < facts?.Length ? facts[place] : default;

    private void List(
        Session session, UserIdentity? identity, NodeHandle node, StatusCode status, in AuditFacts facts) =>
        audit.List(AuditEvent.Written, session, status, nodes.GetNodeId(node).ToString(), identity, facts: facts);

    private static StatusCode Answer(ref ServiceCall call, ReadOnlySpan<StatusCode> results)
    {
        var replyTo = call.ReplyTo;
        var buffer = replyTo.Begin(WriteResponse.BinaryEncodingId, replyTo.Now, out var writer);
        writer.WriteInt32(results.Length);
        foreach (var result in results)
            writer.WriteStatusCode(result);
        writer.WriteInt32(-1);
        return call.Finish(buffer, ref writer);
    }

    /// <summary>Errors: Bad_ServerTooBusy if too many requests of the session wait already.</summary>
    private StatusCode Begin(ref ServiceCall call, WritePlan plan)
    {
        var status = delayed.TryBegin(ref call, out var pending);
        if (status.IsBad)
            return status;
        _ = delayed.RunAsync(pending, WriteAsync(pending, plan, FactsBefore(ref call, plan)));
        return StatusCode.Good;
    }

    private async ValueTask<WriteResponse> WriteAsync(PendingRequest pending, WritePlan plan, AuditFacts[]? facts)
    {
        var accepted = new (int Index, NodeHandle Node)[plan.Writes.Length];
        for (var i = 0; i < accepted.Length; i++)
            accepted[i] = (plan.Writes[i].Index, plan.Writes[i].Write.Node);
        StatusCode[]? results = null;
        try
        {
            results = await writes.WriteAsync(pending, plan, pending.CancellationToken).ConfigureAwait(false);
            return new WriteResponse { Results = results };
        }
        finally
        {
            TellWritten(pending, accepted, results, facts);
        }
    }

    /// <param name="pending">The request.</param>
    /// <param name="accepted">The values for the sources. The gateway does not pass on values that the present user may
    /// not write.</param>
    /// <param name="results">Null: the write failed, and its progress is unknown.</param>
    /// <param name="facts">Null: nobody listens.</param>
    private void TellWritten(
        PendingRequest pending, ReadOnlySpan<(int Index, NodeHandle Node)> accepted, StatusCode[]? results,
        AuditFacts[]? facts)
    {
        for (var i = 0; i < accepted.Length; i++)
        {
            var (index, node) = accepted[i];
            var status = results?[index] ?? pending.StatusOfFailure;
            if (!pending.IsUserChanged || !AccessPolicy.IsRefusal(status))
            {
                if (audit.Take(AuditEvent.Written, 1) > 0)
                    List(pending.Session, pending.Identity, node, status, FactsAt(facts, i));
            }
            else if (audit.TryList(AuditEvent.WriteRefused, status))
            {
                audit.List(
                    AuditEvent.WriteRefused, pending.Session, status,
                    access.RefusalInWords(pending.PresentCaller, nodes.GetNodeId(node), PermissionType.Write),
                    facts: FactsAt(facts, i));
            }
        }
    }
}
