using System.Text.Json;
using Gateway.Operations.Access;
using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Overview;

/// <summary><c>GET /notices</c>: what is wrong now, with its remedy, and what changed lately. Thread-safe.</summary>
internal sealed class NoticesEndpoint(INoticeBoard board, ManagementRequests requests)
{
    public IEnumerable<RestRoute> Routes => [new("GET", "/notices", GetAsync) { Operations = [NoticesApi.Get] }];

    private Task GetAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ReadState, _ => requests.AnswerAsync(context, Write));

    private void Write(Utf8JsonWriter json)
    {
        json.WriteStartArray("active");
        foreach (var notice in board.Active)
        {
            json.WriteStartObject();
            Write(json, notice);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("recent");
        foreach (var (at, change, notice) in board.ReadChanges())
        {
            json.WriteStartObject();
            json.WriteString("at", at);
            json.WriteString("change", change);
            Write(json, notice);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, Notice notice)
    {
        json.WriteString("id", notice.Id);
        json.WriteString("kind", notice.Kind);
        json.WriteString("subject", notice.Subject);
        json.WriteString("severity", notice.IsFault ? "fault" : "warning");
        if (notice.Since is { } since)
            json.WriteString("since", since);
        json.WriteString("words", notice.Words);
        if (notice.Remedy.Length > 0)
            json.WriteString("remedy", notice.Remedy);
    }
}
