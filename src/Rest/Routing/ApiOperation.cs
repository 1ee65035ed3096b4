using System.Text.Json.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Rest.Routing;

/// <summary>
/// One Operation Object of an OpenAPI document, as metadata of the endpoint that it describes. A number of a limit
/// stands as <c>"{MaxHttpNodes}"</c>. Examples of one name in parameters, body and answers belong together: tests send
/// them, and expect the status of the answer that has the name, else <c>x-status</c>, else 200. Source: OpenAPI 3.1,
/// "Operation Object".
/// </summary>
public sealed class ApiOperation
{
    private readonly Func<string> _json;

    /// <param name="json">Read when a document is made: it costs a start nothing.</param>
    /// <param name="problems">That it can answer with, beside those of every operation and every body.</param>
    public ApiOperation(Func<string> json, params StatusCode[] problems) => (_json, Problems) = (json, problems);

    /// <inheritdoc cref="ApiOperation(Func{string}, StatusCode[])"/>
    public ApiOperation(string json, params StatusCode[] problems)
        : this(() => json, problems)
    {
    }

    public IReadOnlyList<StatusCode> Problems { get; }

    /// <summary>As <see cref="Problems"/>, with an HTTP status or a title of their own.</summary>
    public IReadOnlyList<ApiProblem> OwnProblems { get; init; } = [];

    /// <summary>Where one route holds several paths; null: the route's own.</summary>
    public string? Path { get; init; }

    /// <summary>A JSON object of the schemas that the operation names, by their name in the document.</summary>
    public Func<string> Schemas { get; init; } = static () => "{}";

    /// <summary>Declared structures that the operation names; what they reach comes with them.</summary>
    public IReadOnlyList<Type> Structures { get; init; } = [];

    /// <summary>Errors before a request is understood are problems, those after it ServiceFaults.</summary>
    public bool IsService { get; init; }

    /// <summary>A new object each time. Errors: JsonException.</summary>
    public JsonObject Read() => ApiText.Parse(_json());
}
