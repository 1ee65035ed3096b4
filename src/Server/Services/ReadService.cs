using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>
/// Read. Nearly every request is decoded, checked and answered in one pass; the encoded bytes of stored values are
/// copied into the response. Their ServerTimestamp is now: the store learns of every change, so its values are current
/// (Part 4 §7.11.4). If a source must be asked, the written part is dropped and <see cref="DelayedReads"/> takes over.
/// A worker writes a large response, and index ranges of large values. Source: Part 4 §5.11.2.
/// </summary>
internal sealed class ReadService(
    ReadPlanner planner, NodeReader reads, ValueStore values, DelayedReads delayed, RangeWork ranges,
    ReadAudit audit, ServerLimits limits)
{
    /// <summary>NodeId 2, AttributeId 4, IndexRange 4, DataEncoding 6.</summary>
    private const int MinimumReadValueIdBytes = 16;

    public StatusCode Read(ref ServiceCall call)
    {
        var reader = call.Body;
        var maxAge = reader.ReadDouble();
        var timestamps = (TimestampsToReturn)reader.ReadInt32();
        var count = reader.ReadArrayLength(MinimumReadValueIdBytes);
        if (reader.Failed)
            return reader.Status;
        var status = OperationCount.Check(count, limits.MaxNodesPerRead);
        if (!status.IsBad)
            status = NodeReader.Check(maxAge, timestamps);
        return status.IsBad ? status : Answer(ref call, ref reader, count, maxAge, ValueTimes.ToWire(timestamps));
    }

    private StatusCode Answer(
        ref ServiceCall call, ref UaBinaryReader reader, int count, double maxAge, WireTimestamps timestamps)
    {
        var replyTo = call.ReplyTo;
        var now = replyTo.Now;
        var buffer = replyTo.Begin(ReadResponse.BinaryEncodingId, now, out var writer);
        writer.WriteInt32(count);
        var caller = call.Caller;
        var (firstDenied, denial, denials) = (default(ReadValueId), StatusCode.Good, 0);
        for (var i = 0; i < count; i++)
        {
            var id = ReadValueId.Decode(ref reader);
            if (reader.Failed)
            {
                ReplyBuffers.Return(buffer);
                return reader.Status;
            }

            var plan = planner.Plan(caller, id);
            if (!plan.Range.IsEmpty && !ranges.MayGoOn(ref call, plan.Node, out var isSpent))
            {
                if (!isSpent)
                {
                    ReplyBuffers.Return(buffer);
                    return call.Defer();
                }

                plan = ReadPlan.Refused(StatusCodes.BadResourceUnavailable);
            }

            if (plan.Kind == ReadKind.Refused && AccessPolicy.IsRefusal(plan.Status) && denials++ == 0)
                (firstDenied, denial) = (id, plan.Status);
            var isWritten = TryWrite(ref writer, plan, maxAge, timestamps, now);
            if (isWritten && (writer.Position <= limits.MaxImmediateResponseBytes || call.IsDeferred))
                continue;
            ReplyBuffers.Return(buffer);
            return isWritten ? call.Defer() : delayed.Begin(ref call);
        }

        audit.Tell(call.Session, caller, call.Identity, firstDenied, denial, denials);
        writer.WriteInt32(-1);
        return call.Finish(buffer, ref writer);
    }

    /// <summary>False if the source must be asked.</summary>
    private bool TryWrite(
        ref UaBinaryWriter writer, in ReadPlan plan, double maxAge, WireTimestamps timestamps, DateTime now)
    {
        if (plan.Kind == ReadKind.Store && plan.Range.IsEmpty && values.Acquire(plan.Node) is { } value)
        {
            try
            {
                value.WriteDataValue(ref writer, timestamps, knownAt: now);
            }
            finally
            {
                value.Release();
            }

            return true;
        }

        if (!reads.TryFetch(plan, maxAge, out var fetched))
            return false;
        writer.WriteDataValue(ValueTimes.Shape(fetched, timestamps, now));
        return true;
    }
}
