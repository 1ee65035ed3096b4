using System.Globalization;
using System.Text.Json.Nodes;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Routing;

namespace Gateway.Rest.Documents;

/// <summary>The error answers of an operation: a response for each HTTP status, with each StatusCode that it goes with
/// as an example. The texts are those that <see cref="Problem"/> answers.</summary>
internal static class ProblemResponses
{
    private const string ContentType = "application/problem+json";

    public const string Schemas =
        """
        {
          "Problem": {
            "type": "object",
            "description": "What went wrong (RFC 9457).",
            "properties": {
              "type": {"const": "about:blank"},
              "title": {"type": "string", "description": "A sentence for people; the same for the same status."},
              "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
              "statusCode": {
                "type": "string", "pattern": "^Bad[A-Za-z]+$", "description": "The OPC UA StatusCode (Part 6 A.2)."
              },
              "detail": {"type": "string", "description": "Where the request is wrong, and what was expected."}
            },
            "required": ["type", "title", "status", "statusCode"],
            "additionalProperties": false
          }
        }
        """;

    private static readonly StatusCode[] OfWork =
    [
        StatusCodes.BadInternalError, StatusCodes.BadResponseTooLarge, StatusCodes.BadOutOfMemory,
        StatusCodes.BadTimeout,
    ];

    /// <summary>Bad_DecodingError: also of a service, for a body that is not what its Content-Encoding says.</summary>
    private static readonly StatusCode[] OfBody =
    [
        StatusCodes.BadDecodingError, StatusCodes.BadRequestTimeout, StatusCodes.BadRequestTooLarge,
        StatusCodes.BadOutOfMemory, StatusCodes.BadDataEncodingUnsupported,
    ];

    /// <summary>Before a path is asked.</summary>
    private static readonly (RefusalReason Reason, string Title)[] OfAdmission =
    [
        (RefusalReason.RequestRatePerAddress, "Too many requests"),
        (RefusalReason.LockedOut, "Too many failed logins"),
        (RefusalReason.QueueFull, "Too busy to check a password"),
    ];

    /// <summary>Also before a path is asked, where tokens are taken.</summary>
    private static readonly ApiProblem[] OfTokens =
    [
        new(403, TokenTitle, StatusCodes.BadUserAccessDenied), new(503, TokenTitle, StatusCodes.BadServerTooBusy),
    ];

    private const string TokenTitle = "The token is not accepted";

    /// <summary>Adds those that the operation does not describe itself.</summary>
    public static void AddTo(JsonObject described, ApiOperation operation, bool takesTokens)
    {
        var responses = described["responses"]!.AsObject();
        var own = responses
            .Where(static response => response.Value?["content"]?[ContentType] is not null)
            .Select(static response => response.Key).ToHashSet();
        void Add(int http, string title, StatusCode status)
        {
            if (!own.Contains(http.ToString(CultureInfo.InvariantCulture)))
                AddExample(responses, http, title, status);
        }

        foreach (var (http, title, status) in takesTokens ? OfTokens : [])
            Add(http, title, status);
        foreach (var status in operation.Problems.Concat(operation.IsService ? [] : OfWork)
            .Concat(described.ContainsKey("requestBody") ? OfBody : []))
        {
            var (http, title) = ProblemStatus.Of(status);
            Add(http, title, status);
        }

        foreach (var (http, title, status) in operation.OwnProblems)
            Add(http, title, status);
        // A login in clear text.
        var (insecure, needed) = ProblemStatus.Of(StatusCodes.BadSecurityModeInsufficient);
        Add(insecure, needed, StatusCodes.BadSecurityModeInsufficient);
        Add(401, "A user and password are needed", StatusCodes.BadIdentityTokenRejected);
        foreach (var (reason, title) in OfAdmission)
            Add(ReasonTable.HttpStatusOf(reason), title, ReasonTable.StatusOf(AdmissionStage.Http, reason));
    }

    private static void AddExample(JsonObject responses, int http, string title, StatusCode status)
    {
        var key = http.ToString(CultureInfo.InvariantCulture);
        if (responses[key] is not JsonObject response)
            responses[key] = response = Begin(http, title);
        var content = response["content"]!.AsObject();
        if (content[ContentType] is not JsonObject problem)
            content[ContentType] = problem = new JsonObject
            {
                ["schema"] = new JsonObject { ["$ref"] = "#/components/schemas/Problem" },
                ["examples"] = new JsonObject(),
            };
        problem["examples"]!.AsObject()[status.ToString()] = new JsonObject
        {
            ["summary"] = title,
            ["value"] = new JsonObject
            {
                ["type"] = "about:blank",
                ["title"] = title,
                ["status"] = http,
                ["statusCode"] = status.ToString(),
            },
        };
    }

    private static JsonObject Begin(int http, string title)
    {
        var response = new JsonObject { ["description"] = title, ["content"] = new JsonObject() };
        if (http is 429 or 503)
            response["headers"] = ApiText.Parse(
                """{"Retry-After":{"description":"Seconds.","schema":{"type":"integer","minimum":1}}}""");
        return response;
    }
}
