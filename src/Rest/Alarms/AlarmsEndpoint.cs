using System.Globalization;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Lists;
using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using Gateway.Server.Audit;
using Gateway.Server.Conditions;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Alarms;

/// <summary><c>GET /alarms</c>: those of interest now, and the last events of alarms. <c>POST /alarms/acknowledge</c>,
/// <c>POST /alarms/confirm</c>, <c>POST /alarms/comment</c>: an answer to one of them. Thread-safe.</summary>
internal sealed class AlarmsEndpoint(
    ConditionOperations alarms, NodeTable nodes, OperationAudit audit, ManagementRequests requests)
{
    /// <summary>More than anybody reads, and half a megabyte.</summary>
    private const int DefaultLimit = 1_000;

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/alarms", GetAsync) { Operations = [AlarmsApi.Get] },
        Route("acknowledge", ConditionAct.Acknowledge, AlarmsApi.Acknowledge),
        Route("confirm", ConditionAct.Confirm, AlarmsApi.Confirm),
        Route("comment", ConditionAct.AddComment, AlarmsApi.Comment),
    ];

    private RestRoute Route(string name, ConditionAct act, ApiOperation operation) =>
        new("POST", "/alarms/" + name, context => AnswerAsync(context, act)) { Operations = [operation] };

    private Task GetAsync(HttpContext context) => requests.RunAsync(
        context, GatewayPermission.ReadState, caller => LimitOf(context.Request) is { } most
            ? requests.AnswerAsync(context, json =>
            {
                var active = alarms.ReadRetained(caller, most, out var total);
                json.WriteNumber("total", total);
                Write(json, "active", active);
                Write(json, "recent", alarms.ReadHistory(caller, most));
            })
            : Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, PageQuery.ExpectedLimit));

    /// <summary>Null: it is no such number.</summary>
    private static int? LimitOf(HttpRequest request) => request.Query["limit"].ToString() switch
    {
        "" => DefaultLimit,
        var text when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) &&
            number > 0 => number,
        _ => null,
    };

    private void Write(Utf8JsonWriter json, string name, List<ConditionReport> reports)
    {
        var uris = nodes.Namespaces.Uris;
        json.WriteStartArray(name);
        foreach (var one in reports)
            AlarmJson.Write(json, one, uris);
        json.WriteEndArray();
    }

    private Task AnswerAsync(HttpContext context, ConditionAct act) => requests.RunAsync(
        context, GatewayPermission.AnswerAlarms, async (caller, body) =>
        {
            if (AlarmBody.Read(body.WrittenMemory) is not { } answer)
            {
                await Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, AlarmBody.Expected)
                    .ConfigureAwait(false);
                return;
            }

            var isId = NodeIdText.TryParse(answer.Alarm, nodes.Namespaces.Uris, out var id);
            var comment = answer.Comment.Length == 0 ? default : new LocalizedText(answer.Comment);
            StatusCode status = !isId ? StatusCodes.BadNodeIdUnknown : await alarms.CallAsync(
                caller, id, new ConditionCall(act, caller.Identity?.LoginName)
                {
                    EventId = answer.EventId,
                    Comment = comment,
                },
                context.RequestAborted).ConfigureAwait(false);
            audit.Called(
                caller, id, new NodeId(MethodOf(act)), status, isAccepted: !AccessPolicy.IsRefusal(status),
                [Variant.FromByteString(answer.EventId), new Variant(comment)]);
            if (status.IsGood)
                await requests.AnswerAsync(context, json => json.WriteString("status", status.ToString()))
                    .ConfigureAwait(false);
            else
                await RefuseAsync(context, status).ConfigureAwait(false);
        });

    private static Task RefuseAsync(HttpContext context, StatusCode status)
    {
        foreach (var problem in AlarmsApi.OwnProblems)
        {
            if (problem.Status.CodeBits == status.CodeBits)
                return Problem.WriteAsync(context, problem.Http, problem.Title, status);
        }

        return Problem.WriteAsync(context, status);
    }

    /// <summary>For the audit log.</summary>
    private static uint MethodOf(ConditionAct act) => act switch
    {
        ConditionAct.Acknowledge => 9111,
        ConditionAct.Confirm => 9113,
        _ => 9029,
    };
}
