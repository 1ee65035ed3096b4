using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Conversion;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Values;

/// <summary><c>PUT /values</c>. Converts each value to the type of its node and checks it like a Write by UA Binary. A
/// value that cannot be written does not prevent the others. Thread-safe.</summary>
internal sealed class ValueWriting(
    NodeTable nodes, NodeAccess access, NodeList list, NodeNames names, ValueConverter converter,
    EnumNames enumerations, WritePlanner planner, NodeWriter writer, OperationAudit audit, RestFormat format,
    RestRequests requests, RestLimits limits)
{
    public IEnumerable<RestRoute> Routes =>
        [new("PUT", "/values", PutAsync) { Operations = [ValuesApi.Write] }];

    private Task PutAsync(HttpContext context) => requests.RunAsync(context, async (request, body) =>
    {
        var memory = request.Memory;
        var entries = WriteBody.Read(
            body.WrittenMemory, limits.MaxHttpNodes, memory.Meter, out var status, out var problem);
        if (entries is null)
            await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
        else if (await list.ParseAsync(context, memory, Array.ConvertAll(entries, static one => one.Node), "values")
            .ConfigureAwait(false) is { } named)
            await WriteAsync(context, request, named, entries).ConfigureAwait(false);
    });

    private async Task WriteAsync(HttpContext context, RestRequest request, NamedNode[] named, WriteEntry[] entries)
    {
        var (results, messages) = await WriteAsync(request, named, entries).ConfigureAwait(false);
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        answer.Writer.StartObject();
        answer.Writer.Json.WriteStartArray("results"u8);
        for (var i = 0; i < results.Length; i++)
        {
            ValueJson.WriteStatus(answer.Writer, named[i], results[i], messages[i]);
            await answer.SendPieceAsync().ConfigureAwait(false);
        }

        answer.Writer.Json.WriteEndArray();
        answer.Writer.EndObject();
        await answer.EndAsync().ConfigureAwait(false);
    }

    /// <summary>The results of the values, and where one does not fit, what was expected of it.</summary>
    /// <param name="request">The request.</param>
    /// <param name="named">The nodes; their paths are followed.</param>
    /// <param name="entries">The values.</param>
    public async ValueTask<(StatusCode[] Results, string?[] Messages)> WriteAsync(
        RestRequest request, NamedNode[] named, WriteEntry[] entries)
    {
        await names.FollowAsync(request, named).ConfigureAwait(false);
        var messages = new string?[entries.Length];
        return (await WriteAsync(request, named, entries, messages).ConfigureAwait(false), messages);
    }

    private async ValueTask<StatusCode[]> WriteAsync(
        RestRequest request, NamedNode[] named, WriteEntry[] entries, string?[] messages)
    {
        var isAccepted = new bool[entries.Length];
        var values = audit.WantsValues ? new Variant[entries.Length] : null;
        // If a source fails, the progress of the accepted values is unknown.
        var results = new StatusCode[entries.Length];
        try
        {
            return results = await WriteAsync(request, named, entries, messages, isAccepted, values, results)
                .ConfigureAwait(false);
        }
        finally
        {
            for (var i = 0; i < entries.Length; i++)
                audit.Written(
                    request.Caller, named[i].Id, results[i], isAccepted[i], values is null ? default : values[i]);
        }
    }

    /// <summary>Converts and checks the values in turns (R44); nothing is written before all of them are checked.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="named">The nodes.</param>
    /// <param name="entries">The values.</param>
    /// <param name="messages">Gets the expected input for each value that does not fit.</param>
    /// <param name="isAccepted">Gets true for each value that goes to a source.</param>
    /// <param name="values">Gets the values that go to a source; null: nobody wants them.</param>
    /// <param name="planned">Gets the results so far: Bad_UnexpectedError for accepted values.</param>
    private async ValueTask<StatusCode[]> WriteAsync(
        RestRequest request, NamedNode[] named, WriteEntry[] entries, string?[] messages, bool[] isAccepted,
        Variant[]? values, StatusCode[] planned)
    {
        var tables = new EnumTables(enumerations, request);
        var plan = WritePlan.Take(entries.Length);
        ValueTask<StatusCode[]> writing;
        try
        {
            for (var i = 0; i < entries.Length; i++)
            {
                if (request.IsSpent || request.Memory.IsFull)
                {
                    request.CountRefused();
                    plan.Results[i] = planned[i] = StatusCodes.BadResourceUnavailable;
                    continue;
                }

                if (!request.Take(ValueConverter.UnitsOf(entries[i].Value)))
                    await request.NextAsync().ConfigureAwait(false);
                plan.Results[i] = planned[i] = Plan(
                    request, named[i], entries[i], tables, out var source, out var write, out messages[i]);
                if (source is not null && !planned[i].IsBad)
                    plan.Accept(i, source, write);
            }

            foreach (ref readonly var write in plan.Writes)
            {
                (isAccepted[write.Index], planned[write.Index]) = (true, StatusCodes.BadUnexpectedError);
                if (values is not null)
                    values[write.Index] = write.Write.Value.Value;
            }

            request.EndTurns();
            if (plan.IsDirect)
            {
                plan.Write();
                return plan.Results.ToArray();
            }

            writing = writer.WriteAsync(request, plan, request.CancellationToken);
        }
        finally
        {
            plan.Return();
        }

        return await writing.ConfigureAwait(false);
    }

    private StatusCode Plan(
        RestRequest request, in NamedNode named, in WriteEntry entry, EnumTables tables, out INodeSource? source,
        out SourceWrite write, out string? message)
    {
        (source, write, message) = (null, default, null);
        if (named.Status.IsBad)
            return named.Status;
        // Permissions first: a refused value must not reveal the type of its node.
        var node = nodes.Find(named.Id);
        if (node.IsNone || !access.IsVisible(request.Caller, node))
            return StatusCodes.BadNodeIdUnknown;
        if (nodes.GetNodeClass(node) != NodeClass.Variable)
            return StatusCodes.BadAttributeIdInvalid;
        var status = access.CheckWrite(request.Caller, node);
        if (status.IsBad)
            return status;
        var facts = nodes.GetVariableFacts(node);
        var type = new ExpectedType(facts.DataType, facts.BuiltInType, facts.ValueRank);
        status = converter.Convert(entry.Value, type, request.Memory.Meter, tables, out var value, out message);
        if (status.IsBad)
            return status;
        var written = new WriteValue
        {
            NodeId = named.Id,
            AttributeId = (uint)AttributeId.Value,
            Value = new DataValue(value, entry.Status, entry.SourceTimestamp),
        };
        status = planner.Plan(request.Caller, written, out source, out write, out var units);
        request.Take(units);
        if (status.CodeBits == StatusCodes.BadTypeMismatch)
            message = "expected " + type.InWords;
        return status;
    }
}
