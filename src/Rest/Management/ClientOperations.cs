using Gateway.Rest.Routing;
using StatusCode = Gateway.Codec.Types.StatusCode;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of what can be done with one kind of clients: list them, look at one, end it. Immutable.
/// </summary>
/// <param name="Described">Made when a document is made.</param>
/// <param name="One">A word as in "There is no such session".</param>
/// <param name="Id">Of an entry, in words.</param>
/// <param name="UnknownId">The id of none.</param>
/// <param name="Missing">The answer to that id.</param>
internal sealed record ClientOperations(
    Func<ManagementList> Described, string One, string Id, string UnknownId, StatusCode Missing)
{
    private const string Tags = """["Clients"]""";

    private string Name => char.ToUpperInvariant(One[0]) + One[1..];

    private ApiProblem Problem => new(404, $"There is no such {One}", Missing);

    public ApiOperation List(string summary) => new(
        () => $$"""
        {
          "operationId": "get{{Name}}s", "tags": {{Tags}}, "summary": "{{summary}}",
          "parameters": [{{Described().Page}}],
          "responses": {"200": {{Described().PageAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = () => Described().Schemas,
    };

    public ApiOperation Get(string summary) => new(
        () => $$"""
        {
          "operationId": "get{{Name}}", "tags": {{Tags}}, "summary": "{{summary}}",
          "parameters": [
            {{IdWith($$""", "noField": {"value": "{{UnknownId}}", "x-status": 400}""")}}, {{Described().EntryFields}}
          ],
          "responses": {"200": {{Described().EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = () => Described().Schemas,
        OwnProblems = [Problem],
    };

    /// <param name="effect">The end that it makes, and the roles that may.</param>
    public ApiOperation Delete(string effect) => new(
        () => $$"""
        {
          "operationId": "end{{Name}}", "tags": {{Tags}}, "summary": "End a {{One}}.", "description": "{{effect}}",
          "parameters": [{{IdWith("")}}],
          "responses": {"204": {"description": "It is ended."} }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        OwnProblems = [Problem],
    };

    /// <param name="more">Examples of one operation.</param>
    private string IdWith(string more) =>
        $$"""
        {
          "name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1},
          "description": "{{Id}}",
          "examples": {"unknown": {"value": "{{UnknownId}}", "x-status": 404}{{more}} }
        }
        """;
}
