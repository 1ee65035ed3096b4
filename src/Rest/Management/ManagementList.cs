using Gateway.Rest.Routing;

namespace Gateway.Rest.Management;

/// <summary>The description of a list about the gateway itself. The members of an entry stand in it once: the schema
/// and the choice of <c>fields</c> are made of them. Immutable.</summary>
/// <param name="Name">The answer's member that holds the entries: sessions.</param>
/// <param name="Entry">The name of an entry's schema.</param>
/// <param name="Members">A JSON object with the schema of each member.</param>
internal sealed record ManagementList(string Name, string Entry, string Members)
{
    private const string TagHeaders = $$"""{"headers": {{ApiText.Tag}} }""";

    /// <summary>Of one entry and of a page.</summary>
    public string Schemas =>
        $$"""
        {
          "{{Entry}}": {
            "type": "object",
            "description": "A member that has no value, or that the query or the user's roles leave out, is absent.",
            "properties": {{Members}},
            "additionalProperties": false
          },
          "{{Entry}}Page": {
            "type": "object",
            "properties": {
              "{{Name}}": {
                "type": "array", "items": {"$ref": "#/components/schemas/{{Entry}}"},
                "maxItems": "{MaxHttpPageNodes}"
              },
              "next": {"type": "string", "description": "More follow: send it back as cursor."},
              "found": {"type": "integer", "minimum": 0, "description": "With q: as many entries fit."}
            },
            "required": ["{{Name}}"], "additionalProperties": false
          }
        }
        """;

    /// <summary>The parameter of a single entry; its example is <c>noField</c>.</summary>
    public string EntryFields => FieldsWith(""", "examples": {"noField": {"value": ["colour"], "x-status": 400}}""");

    /// <summary>The same of an operation that no test may run.</summary>
    public string PlainFields => FieldsWith("");

    /// <summary>All parameters that lists share.</summary>
    public string Page =>
        $$"""
        {{FieldsWith(Few)}},
        {
          "name": "limit", "in": "query", "description": "Entries of a page; a larger number is cut to the limit.",
          "schema": {"type": "integer", "minimum": 1, "default": 100},
          "examples": {"few": {"value": 2}, "none": {"value": 0, "x-status": 400} }
        },
        {
          "name": "cursor", "in": "query", "description": "The member next of the page before.",
          "schema": {"type": "string", "maxLength": 512},
          "examples": {"noCursor": {"value": "*", "x-status": 400} }
        },
        {
          "name": "q", "in": "query",
          "description": "Words; each stands in a text of the entry. The first that fit come, without cursor.",
          "schema": {"type": "string", "maxLength": {{WordQuery.MaxLength}} },
          "examples": {"words": {"value": "no entry has this"} }
        }
        """;

    /// <summary>A page.</summary>
    public string PageAnswer => AnswerOf($"{Entry}Page", "A page.");

    /// <summary>The same of a list that rarely changes: a page that leaves in one piece has an ETag.</summary>
    public string TaggedPageAnswers =>
        $$"""
        "200": {{ApiText.Merge(PageAnswer, TagHeaders)}},
        "304": {{ApiText.NotModified}}
        """;

    /// <summary>One entry.</summary>
    public string EntryAnswer => AnswerOf(Entry, "As it is now.");

    private IEnumerable<string> Names => ApiText.Parse(Members).Select(static member => member.Key);

    private string Few =>
        $$"""
        , "examples": {
            "few": {"value": {{ApiText.ArrayOf(Names.Take(2))}} }, "noField": {"value": ["colour"], "x-status": 400}
          }
        """;

    private string FieldsWith(string examples) =>
        $$"""
        {
          "name": "fields", "in": "query", "style": "form", "explode": false,
          "description": "The members that are wanted; without it all.",
          "schema": {"type": "array", "items": {"enum": {{ApiText.ArrayOf(Names)}} } }{{examples}}
        }
        """;

    private static string AnswerOf(string schema, string description) =>
        $$"""
        {
          "description": "{{description}}",
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/{{schema}}"} } }
        }
        """;
}
