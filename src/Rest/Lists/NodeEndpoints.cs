using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Events.Plain;
using Gateway.Operations.Access;
using Gateway.Operations.Searching;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Lists;

/// <summary><c>GET /nodes/{id}</c>, <c>GET /nodes/{id}/children</c> and <c>GET /search</c>. Thread-safe.</summary>
internal sealed class NodeEndpoints(
    NodeTable nodes, NodeAccess access, NodeNames names, PlainTypeNames typeNames, NodeJson json, ChildPages children,
    NodeSearch search, RestFormat format, RestRequests requests, RestLimits limits)
{
    private const string ExpectedType = "type: expected the name or the node id of a type, such as AnalogItemType";

    private const string ExpectedClass =
        "class: expected some of Object,Variable,Method,ObjectType,VariableType,ReferenceType,DataType,View";

    /// <summary>Work for one node, with the path up to the Root folder.</summary>
    private const int UnitsToDescribe = 64;

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/nodes/{**id}", GetNodeAsync) { Operations = [NodesApi.Get, NodesApi.Children] },
        new("GET", "/search", SearchAsync) { Operations = [NodesApi.Search] },
    ];

    private async Task GetNodeAsync(HttpContext context)
    {
        var text = NodePath.Read(context, out var isOfChildren);
        if (text is null || !names.TryParse(text, out var node))
            await Problem.WriteAsync(context, StatusCodes.BadNodeIdInvalid, "id: " + NodeNames.Expected)
                .ConfigureAwait(false);
        else if (!FieldsQuery.TryRead(context.Request, out var fields))
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, FieldsQuery.Expected)
                .ConfigureAwait(false);
        else if (isOfChildren)
            await requests.RunAsync(context, request => AnswerChildrenAsync(context, request, node, fields))
                .ConfigureAwait(false);
        else
            await requests.RunAsync(context, request => AnswerNodeAsync(context, request, node, fields))
                .ConfigureAwait(false);
    }

    private async Task AnswerNodeAsync(HttpContext context, RestRequest request, NamedNode named, NodeFields fields)
    {
        named = await names.FollowAsync(request, named).ConfigureAwait(false);
        var node = named.Status.IsBad ? default : nodes.Find(named.Id);
        if (node.IsNone || !access.IsVisible(request.Caller, node))
        {
            await Problem.WriteAsync(context, named.Status.IsBad ? named.Status : StatusCodes.BadNodeIdUnknown)
                .ConfigureAwait(false);
            return;
        }

        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        json.Write(answer.Writer, request.Caller, node, fields);
        await answer.EndTaggedAsync().ConfigureAwait(false);
    }

    private async Task AnswerChildrenAsync(HttpContext context, RestRequest request, NamedNode named, NodeFields fields)
    {
        if (PageQuery.Read(context.Request, limits, out var page) is { } problem)
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, problem).ConfigureAwait(false);
            return;
        }

        named = await names.FollowAsync(request, named).ConfigureAwait(false);
        var found = named.Status.IsBad
            ? ChildPage.Bad(named.Status)
            : await children.ReadAsync(request, named.Id, page).ConfigureAwait(false);
        request.EndTurns();
        if (found.Status.CodeBits == StatusCodes.BadContinuationPointInvalid)
            await Problem.WriteAsync(context, found.Status, PageQuery.ExpectedCursor).ConfigureAwait(false);
        else if (found.Status.IsBad)
            await Problem.WriteAsync(context, found.Status).ConfigureAwait(false);
        else
            await AnswerListAsync(context, request, found.Nodes, found.Next, true, fields, isTagged: true)
                .ConfigureAwait(false);
    }

    private async Task SearchAsync(HttpContext context)
    {
        var query = context.Request.Query;
        var (mask, type) = (0u, default(NamedNode));
        var problem = PageQuery.Read(context.Request, limits, out var page);
        if (!FieldsQuery.TryRead(context.Request, out var fields))
            problem ??= FieldsQuery.Expected;
        var after = default(SearchCursor);
        if (page.Cursor is { Length: > 0 } && !SearchCursor.TryParse(page.Cursor, out after))
            problem ??= PageQuery.ExpectedCursor;
        // A text that is no node id is the name of a type: the caller's request looks for it.
        if (query["type"].ToString() is { Length: > 0 } name && !names.TryParse(name, out type))
            type = new NamedNode(name, default);
        if (query["class"].ToString() is { Length: > 0 } classes && !TryReadClasses(classes, out mask))
            problem ??= ExpectedClass;
        if (problem is not null)
        {
            await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, problem).ConfigureAwait(false);
            return;
        }

        var asked = new NodeQuery
        {
            Text = query["q"].ToString(),
            NodeClassMask = mask,
            Limit = page.Limit,
            After = after,
        };
        await requests.RunAsync(context, request => AnswerSearchAsync(context, request, asked, type, fields))
            .ConfigureAwait(false);
    }

    private async Task AnswerSearchAsync(
        HttpContext context, RestRequest request, NodeQuery query, NamedNode type, NodeFields fields)
    {
        if (type is { Text: not null, Id.IsNull: true, Path: null, Status.IsBad: false })
        {
            var found = typeNames.Find(type.Text, one => access.IsVisible(request.Caller, one));
            if (found.IsNone)
            {
                await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedType).ConfigureAwait(false);
                return;
            }

            type = new NamedNode(type.Text, nodes.GetNodeId(found));
        }

        if (type.Text is not null)
            type = await names.FollowAsync(request, type).ConfigureAwait(false);
        query = query with { Type = type.Id };
        var status = type.Status.IsBad ? type.Status : search.Check(request.Caller, query);
        if (status.IsBad)
        {
            await Problem.WriteAsync(context, status, status.CodeBits switch
            {
                StatusCodes.BadNothingToDo => "q: expected some words, or a type",
                StatusCodes.BadOutOfRange => "q: expected at most 15 words of 256 characters, or a path of 4096",
                _ => "type: there is no such node",
            }).ConfigureAwait(false);
            return;
        }

        var page = await search.SearchAsync(request, query, request.CancellationToken).ConfigureAwait(false);
        request.EndTurns();
        await AnswerListAsync(
            context, request, page.Nodes, page.Next?.ToString(), page.IsComplete, fields, isTagged: false)
            .ConfigureAwait(false);
    }

    private async Task AnswerListAsync(
        HttpContext context, RestRequest request, NodeHandle[] found, string? next, bool isComplete, NodeFields fields,
        bool isTagged)
    {
        request.BeginAnswer();
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        answer.Writer.StartObject();
        answer.Writer.Json.WriteStartArray("nodes"u8);
        foreach (var node in found)
        {
            if (!request.Take(UnitsToDescribe))
                await request.NextAsync().ConfigureAwait(false);
            json.Write(answer.Writer, request.Caller, node, fields);
            await request.WhileSent(answer.SendPieceAsync()).ConfigureAwait(false);
        }

        request.EndTurns();
        answer.Writer.Json.WriteEndArray();
        if (next is not null)
            answer.Writer.Json.WriteString("next"u8, next);
        if (!isComplete)
            answer.Writer.Json.WriteBoolean("complete"u8, false);
        answer.Writer.EndObject();
        await (isTagged ? answer.EndTaggedAsync() : answer.EndAsync()).ConfigureAwait(false);
    }

    private static bool TryReadClasses(string text, out uint mask)
    {
        mask = 0;
        foreach (var name in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!Enum.TryParse<NodeClass>(name, ignoreCase: true, out var nodeClass) || !Enum.IsDefined(nodeClass) ||
                nodeClass == NodeClass.Unspecified || !char.IsAsciiLetter(name[0]))
                return false;
            mask |= (uint)nodeClass;
        }

        return true;
    }
}
