using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Text;
using Gateway.Operations.Access;
using Gateway.Rest.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Tracing;

/// <summary><c>GET /trace?node=…</c>: the way of a node's values, hop by hop, and the first one at fault.
/// Thread-safe.</summary>
internal sealed class TraceEndpoint(
    NodeTable nodes, NodeAccess access, NodeNames names, NodeTrace trace, RestFormat format, RestRequests requests,
    TimeProvider time)
{
    private const int MaxTextLength = 1_000;

    public IEnumerable<RestRoute> Routes => [new("GET", "/trace", GetAsync) { Operations = [TraceApi.Get] }];

    private Task GetAsync(HttpContext context)
    {
        var text = context.Request.Query["node"].ToString();
        if (!names.TryParse(text, out var named))
            return Problem.WriteAsync(context, StatusCodes.BadNodeIdInvalid, "node: " + NodeNames.Expected);
        return requests.RunAsync(context, request => AnswerAsync(context, request, named));
    }

    private async Task AnswerAsync(HttpContext context, RestRequest request, NamedNode named)
    {
        named = await names.FollowAsync(request, named).ConfigureAwait(false);
        var node = named.Status.IsBad ? default : nodes.Find(named.Id);
        // It may walk thousands of watchers: not on the sockets' thread.
        var hops = await Task.Run(() => trace.Follow(request.Caller, node), request.CancellationToken)
            .ConfigureAwait(false);
        using var answer = new RestAnswer(context, format.Current, RestAnswer.Json);
        answer.Writer.StartObject();
        var json = answer.Writer.Json;
        if (node.IsNone || !access.IsVisible(request.Caller, node))
        {
            json.WriteString("node", PeerText.EscapeLine(named.Text, MaxTextLength));
        }
        else
        {
            json.WritePropertyName("node");
            answer.Writer.WriteNodeId(nodes.GetNodeId(node));
            json.WriteString("displayName", PeerText.EscapeLine(nodes.GetDisplayName(node).Text, MaxTextLength));
            json.WriteString("nodeClass", nodes.GetNodeClass(node).ToString());
        }

        json.WriteString("at", time.GetUtcNow().UtcDateTime);
        Write(json, hops);
        answer.Writer.EndObject();
        await answer.EndAsync().ConfigureAwait(false);
    }

    private static void Write(Utf8JsonWriter json, IReadOnlyList<TraceHop> hops)
    {
        var worst = hops.Any(static one => one.State == HopState.Fault) ? HopState.Fault
            : hops.Any(static one => one.State == HopState.Warning) ? HopState.Warning : HopState.Ok;
        var first = worst == HopState.Ok ? null : hops.First(one => one.State == worst);
        json.WriteString("state", TraceApi.NameOf(worst));
        if (first is not null)
            json.WriteString("faultHop", first.Hop);
        json.WriteStartArray("hops");
        foreach (var hop in hops)
            Write(json, hop, ReferenceEquals(hop, first));
        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, TraceHop hop, bool isFirst)
    {
        json.WriteStartObject();
        json.WriteString("hop", hop.Hop);
        json.WriteString("title", hop.Title);
        json.WriteString("state", TraceApi.NameOf(hop.State));
        json.WriteString("words", hop.Words);
        if (hop.Remedy is { Length: > 0 } remedy)
            json.WriteString("remedy", remedy);
        if (hop.Age is { } age)
            json.WriteNumber("ageMs", Math.Round(age.TotalMilliseconds));
        if (hop.Since is { } since)
            json.WriteString("since", since);
        if (isFirst)
            json.WriteBoolean("first", true);
        json.WriteStartObject("facts");
        foreach (var (name, value) in hop.Facts)
            Write(json, name, value);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, string name, object? value)
    {
        switch (value)
        {
            case null or "":
                break;
            case string text:
                json.WriteString(name, text);
                break;
            case DateTime moment:
                json.WriteString(name, moment);
                break;
            case double number:
                json.WriteNumber(name, Math.Round(number, 2));
                break;
            default:
                json.WriteNumber(name, Convert.ToInt64(value, System.Globalization.CultureInfo.InvariantCulture));
                break;
        }
    }
}
