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

    private Task GetAsync(HttpContext context) => requests.RunAsync(
        context, this, static (context, request, reading) => reading.GetAsync(context, request));

    private Task PostAsync(HttpContext context) => requests.RunAsync(context, (request, body) =>
    {
        var (status, problem) = nodesBody.Read(request.Memory, body.WrittenSpan, out var nodes);
        bodies.Return(body);
        return AnswerAsync(context, request, nodes, status, problem);
    });

    private Task GetAsync(HttpContext context, RestRequest request)
    {
        var texts = QueryTexts.Of(context.Request, "node");
        var (status, problem) = list.Parse(request.Memory, texts, "node", out var nodes);
        return AnswerAsync(context, request, nodes, status, problem);
    }

    /// <summary>Most values are at hand: these are answered without a wait, and so without an object for one.</summary>
    private Task AnswerAsync(
        HttpContext context, RestRequest request, NamedNode[] nodes, StatusCode status, string? problem)
    {
        if (status.IsBad)
            return Problem.WriteAsync(context, status, problem);
        if (!MaxAge.TryRead(context.Request, out var maxAge))
            return Problem.WriteAsync(context, StatusCodes.BadMaxAgeInvalid, MaxAge.Expected);
        var followed = names.FollowAsync(request, nodes);
        return followed.IsCompletedSuccessfully
            ? ReadAsync(context, request, nodes, maxAge)
            : ReadBehindAsync(followed);

        async Task ReadBehindAsync(ValueTask paths)
        {
            await paths.ConfigureAwait(false);
            await ReadAsync(context, request, nodes, maxAge).ConfigureAwait(false);
        }
    }

    private Task ReadAsync(HttpContext context, RestRequest request, NamedNode[] nodes, double maxAge)
    {
        var stored = new NodeHandle[nodes.Length];
        return Plan(request, nodes, maxAge, stored) is { } late
            ? ReadLateAsync(context, request, nodes, late, maxAge, stored)
            : WriteAsync(context, request, nodes, null, stored);
    }

    private async Task ReadLateAsync(
        HttpContext context, RestRequest request, NamedNode[] nodes, List<int> late, double maxAge, NodeHandle[] stored)
    {
        var waiting = await ReadAsync(request, nodes, late, maxAge, stored).ConfigureAwait(false);
        request.BeginAnswer();
        await WriteAsync(context, request, nodes, waiting, stored).ConfigureAwait(false);
    }

    /// <summary>As the client wants it.</summary>
    private Task WriteAsync(
        HttpContext context, RestRequest request, NamedNode[] nodes, DataValue?[]? waiting, NodeHandle[] stored)
    {
        if (request.Memory.WasRefused)
            return Problem.WriteAsync(context, StatusCodes.BadOutOfMemory);
        request.EndDeadline();
        return ValuesCsv.IsWanted(context.Request)
            ? WriteCsvAsync(context, request, nodes, waiting)
            : WriteJsonAsync(context, request, nodes, waiting, stored);
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

    private Task WriteJsonAsync(
        HttpContext context, RestRequest request, NamedNode[] nodes, DataValue?[]? waiting, NodeHandle[] stored)
    {
        var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        var now = time.GetUtcNow().UtcDateTime;
        try
        {
            answer.Writer.StartObject();
            answer.Writer.Json.WriteStartArray("values"u8);
            var next = WriteEntries(answer, request, nodes, waiting, stored, now, 0);
            if (next < nodes.Length)
                return WriteRestAsync(answer, request, nodes, waiting, stored, now, next);
            var end = EndAsync(answer, request);
            if (!end.IsCompletedSuccessfully)
                return DisposeBehindAsync(answer, end);
        }
        catch
        {
            answer.Dispose();
            throw;
        }

        answer.Dispose();
        return Task.CompletedTask;
    }

    private async Task WriteRestAsync(
        RestAnswer answer, RestRequest request, NamedNode[] nodes, DataValue?[]? waiting, NodeHandle[] stored,
        DateTime now, int next)
    {
        using (answer)
        {
            while (next < nodes.Length)
            {
                if (answer.IsPieceFull)
                    await request.WhileSent(answer.SendPieceAsync()).ConfigureAwait(false);
                if (request.IsOver)
                    await request.NextAsync().ConfigureAwait(false);
                next = WriteEntries(answer, request, nodes, waiting, stored, now, next);
            }

            if (answer.IsPieceFull)
                await request.WhileSent(answer.SendPieceAsync()).ConfigureAwait(false);
            await EndAsync(answer, request).ConfigureAwait(false);
        }
    }

    private static Task EndAsync(RestAnswer answer, RestRequest request)
    {
        request.EndTurns();
        answer.Writer.Json.WriteEndArray();
        answer.Writer.EndObject();
        return answer.EndAsync();
    }

    private static async Task DisposeBehindAsync(RestAnswer answer, Task end)
    {
        using (answer)
            await end.ConfigureAwait(false);
    }

    /// <summary>Until all are written, the turn is over or a piece is full. Returns the next one.</summary>
    private int WriteEntries(
        RestAnswer answer, RestRequest request, NamedNode[] nodes, DataValue?[]? waiting, NodeHandle[] stored,
        DateTime now, int next)
    {
        for (; next < nodes.Length && !request.IsOver && !answer.IsPieceFull; next++)
        {
            var before = answer.Writer.Length;
            if (request.IsSpent)
                WriteRefused(answer, request, nodes[next]);
            else if (!TryWriteStored(answer, nodes[next], stored[next], now))
                Write(answer, request, nodes[next], waiting?[next], now);
            request.Take(UnitsOf(answer.Writer.Length - before));
            waiting?[next] = null;
        }

        return next;
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
