using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Values;

/// <summary><c>GET /values</c> and <c>POST /values/read</c>. Writes stored values from their bytes. If sources must be
/// asked, asks all of them at the same time, without a thread. Thread-safe.</summary>
internal sealed class ValueReading(
    NodeList list, NodesBody nodesBody, NodeNames names, ReadPlanner planner, NodeReader reader, ValueStore values,
    OperationAudit audit, RestFormat format, RestRequests requests, BodyReader bodies, TimeProvider time)
{
    /// <summary>Of the text, for a unit of work.</summary>
    private const int BytesPerUnit = 64;

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/values", GetAsync) { Operations = [ValuesApi.Get] },
        new("POST", "/values/read", PostAsync) { Operations = [ValuesApi.Read] },
    ];

    private Task GetAsync(HttpContext context) => requests.RunAsync(context, async request =>
    {
        var texts = QueryTexts.Of(context.Request, "node");
        if (await list.ParseAsync(context, request.Memory, texts, "node").ConfigureAwait(false) is { } nodes)
            await AnswerAsync(context, request, nodes).ConfigureAwait(false);
    });

    private Task PostAsync(HttpContext context) => requests.RunAsync(context, async (request, body) =>
    {
        var (status, problem) = nodesBody.Read(request.Memory, body.WrittenSpan, out var nodes);
        bodies.Return(body);
        if (status.IsBad)
            await Problem.WriteAsync(context, status, problem).ConfigureAwait(false);
        else
            await AnswerAsync(context, request, nodes).ConfigureAwait(false);
    });

    private async Task AnswerAsync(HttpContext context, RestRequest request, NamedNode[] nodes)
    {
        if (!MaxAge.TryRead(context.Request, out var maxAge))
        {
            await Problem.WriteAsync(context, StatusCodes.BadMaxAgeInvalid, MaxAge.Expected).ConfigureAwait(false);
            return;
        }

        await names.FollowAsync(request, nodes).ConfigureAwait(false);
        var stored = new NodeHandle[nodes.Length];
        var late = Plan(request, nodes, maxAge, stored);
        var waiting = late is null
            ? null
            : await ReadAsync(request, nodes, late, maxAge, stored).ConfigureAwait(false);
        if (request.Memory.WasRefused)
        {
            await Problem.WriteAsync(context, StatusCodes.BadOutOfMemory).ConfigureAwait(false);
            return;
        }

        request.BeginAnswer();
        if (ValuesCsv.IsWanted(context.Request))
            await WriteCsvAsync(context, request, nodes, waiting).ConfigureAwait(false);
        else
            await WriteAsync(context, request, nodes, waiting, stored).ConfigureAwait(false);
    }

    /// <summary>Checks each node. Returns the indexes of those whose source must be waited for; null: there is none.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="nodes">Their paths are followed.</param>
    /// <param name="maxAge">In milliseconds.</param>
    /// <param name="stored">Gets the nodes that the caller may read from the store.</param>
    private List<int>? Plan(RestRequest request, NamedNode[] nodes, double maxAge, NodeHandle[] stored)
    {
        List<int>? late = null;
        var (refused, first, status) = (0, default(NodeId), StatusCode.Good);
        for (var i = 0; i < nodes.Length; i++)
        {
            if (nodes[i].Status.IsBad)
                continue;
            if (planner.TryFindStored(request.Caller, nodes[i].Id, out stored[i]))
                continue;
            var plan = planner.Plan(request.Caller, IdOf(nodes[i]));
            if (!NodeReader.IsAtHand(plan, maxAge))
                (late ??= []).Add(i);
            else if (AccessPolicy.IsRefusal(plan.Status) && refused++ == 0)
                (first, status) = (nodes[i].Id, plan.Status);
        }

        audit.ReadRefused(request.Caller, first, AttributeId.Value, status, refused);
        return late;
    }

    /// <summary>The values from sources, each at the index of its node. The others are decoded one at a time when they
    /// are written (R04), and checked again: the wait may have been long.</summary>
    private async ValueTask<DataValue?[]> ReadAsync(
        RestRequest request, NamedNode[] nodes, List<int> late, double maxAge, NodeHandle[] stored)
    {
        request.EndTurns();
        ReadValueId[] ids = [.. late.Select(i => IdOf(nodes[i]))];
        var hold = request.Memory.HoldAnswers();
        hold((long)nodes.Length * Unsafe.SizeOf<DataValue?>());
        var read = await reader.ReadAsync(
            request, ids, maxAge, TimestampsToReturn.Both, request.CancellationToken, hold).ConfigureAwait(false);
        var values = new DataValue?[nodes.Length];
        for (var i = 0; i < read.Length; i++)
            values[late[i]] = read[i];
        Array.Clear(stored);
        return values;
    }

    private async Task WriteAsync(
        HttpContext context, RestRequest request, NamedNode[] nodes, DataValue?[]? waiting, NodeHandle[] stored)
    {
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        var now = time.GetUtcNow().UtcDateTime;
        answer.Writer.StartObject();
        answer.Writer.Json.WriteStartArray("values"u8);
        for (var i = 0; i < nodes.Length; i++)
        {
            if (request.IsOver)
                await request.NextAsync().ConfigureAwait(false);
            var before = answer.Writer.Length;
            if (request.IsSpent)
                WriteRefused(answer, request, nodes[i]);
            else if (!TryWriteStored(answer, nodes[i], stored[i], now))
                Write(answer, request, nodes[i], waiting?[i], now);
            request.Take(UnitsOf(answer.Writer.Length - before));
            waiting?[i] = null;
            if (answer.IsPieceFull)
                await request.WhileSent(answer.SendPieceAsync()).ConfigureAwait(false);
        }

        request.EndTurns();
        answer.Writer.Json.WriteEndArray();
        answer.Writer.EndObject();
        await answer.EndAsync().ConfigureAwait(false);
    }

    private static int UnitsOf(int bytes) => 1 + (Math.Max(0, bytes) / BytesPerUnit);

    /// <summary>The request has no work left: its other values have been as much as one answer may hold.</summary>
    private static void WriteRefused(RestAnswer answer, RestRequest request, in NamedNode node)
    {
        request.CountRefused();
        ValueJson.WriteStatus(answer.Writer, node, StatusCodes.BadResponseTooLarge);
    }

    /// <summary>The usual value: from its bytes.</summary>
    private bool TryWriteStored(RestAnswer answer, in NamedNode node, NodeHandle stored, DateTime now)
    {
        if (stored.IsNone || values.Acquire(stored) is not { } shared)
            return false;
        ValueJson.Write(answer.Writer, node, shared, now);
        shared.Release();
        return true;
    }

    private void Write(RestAnswer answer, RestRequest request, in NamedNode node, in DataValue? read, DateTime now)
    {
        if (node.Status.IsBad)
        {
            ValueJson.WriteStatus(answer.Writer, node, node.Status);
            return;
        }

        if (read is { } value)
        {
            ValueJson.Write(answer.Writer, node, value);
            return;
        }

        var plan = planner.Plan(request.Caller, IdOf(node));
        if (plan.Kind == ReadKind.Store && TryWriteStored(answer, node, plan.Node, now))
            return;
        ValueJson.Write(answer.Writer, node, Fetch(plan, now));
    }

    private async Task WriteCsvAsync(
        HttpContext context, RestRequest request, NamedNode[] nodes, DataValue?[]? waiting)
    {
        var now = time.GetUtcNow().UtcDateTime;
        var csv = new ValuesCsv(context, format.Current);
        for (var i = 0; i < nodes.Length; i++)
        {
            if (request.IsOver)
                await request.NextAsync().ConfigureAwait(false);
            var before = csv.Length;
            csv.Add(nodes[i], ValueOf(request, nodes[i], waiting?[i], now));
            request.Take(UnitsOf(csv.Length - before));
            waiting?[i] = null;
            if (csv.IsPieceFull)
                await request.WhileSent(csv.EndAsync()).ConfigureAwait(false);
        }

        request.EndTurns();
        await csv.EndAsync().ConfigureAwait(false);
    }

    private DataValue ValueOf(RestRequest request, in NamedNode node, in DataValue? read, DateTime now)
    {
        if (node.Status.IsBad)
            return new DataValue(node.Status);
        if (!request.IsSpent)
            return read ?? Fetch(planner.Plan(request.Caller, IdOf(node)), now);
        request.CountRefused();
        return new DataValue(StatusCodes.BadResponseTooLarge);
    }

    private DataValue Fetch(in ReadPlan plan, DateTime now)
    {
        var value = reader.FetchAtHand(plan);
        return plan.Kind == ReadKind.Refused ? value : ValueTimes.Shape(value, WireTimestamps.Both, now);
    }

    private static ReadValueId IdOf(in NamedNode node) =>
        new() { NodeId = node.Id, AttributeId = (uint)AttributeId.Value };
}
