using Gateway.Rest.Routing;
using Gateway.Transport.Certificates.Inventory;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of certificates.</summary>
internal static class CertificatesApi
{
    private const string Ended =
        "Channels and sessions that it has let in end. A gateway's own certificate stays. Role: SecurityAdmin.";

    private static ManagementList Described => new("certificates", "CertificateEntry", Members);

    public static string EntryAnswer => Described.EntryAnswer;

    public static string EntrySchemas => Described.Schemas;

    private static string Stores => ApiText.ArrayOf(
        Enum.GetValues<CertificateStore>().Select(CertificateInventory.NameOf));

    private static string Members =>
        $$"""
        {
          "thumbprint": {"type": "string", "pattern": "^[0-9A-F]{40}$", "description": "SHA-1, as OPC UA has it."},
          "store": {"enum": {{Stores}} },
          "file": {"type": "string"}, "subject": {"type": "string"}, "issuer": {"type": "string"},
          "applicationUri": {"type": "string"}, "authority": {"type": "boolean"},
          "notBefore": {"type": "string", "format": "date-time"},
          "notAfter": {"type": "string", "format": "date-time"},
          "expiresInDays": {"type": "integer"},
          "reason": {"type": "string", "description": "Why the gateway has rejected it."},
          "role": {"type": "string", "description": "It came as the certificate of an application or of a user."},
          "address": {"type": "string", "description": "It came from there last."},
          "upstream": {"type": "string", "description": "The configured name of the upstream that showed it."},
          "rejectedAt": {"type": "string", "format": "date-time"},
          "firstRejectedAt": {"type": "string", "format": "date-time"},
          "rejections": {"type": "integer", "minimum": 0}
        }
        """;

    private static ApiProblem Missing { get; } = new(
        404, "No folder holds such a certificate", StatusCodes.BadNotFound);

    private static ApiProblem[] OfMoves { get; } =
    [
        Missing,
        new(409, "The gateway's own certificate stays where it is", StatusCodes.BadInvalidState),
        new(500, "The PKI folders cannot be changed", StatusCodes.BadResourceUnavailable),
    ];

    private const string NoStore =
        """, "noStore": {"value": "0123456789ABCDEF0123456789ABCDEF01234567", "x-status": 400}""";

    private const string NoField =
        """, "noField": {"value": "0123456789ABCDEF0123456789ABCDEF01234567", "x-status": 400}""";

    /// <param name="more">Examples of one operation.</param>
    private static string Thumbprint(string more) =>
        $$"""
        {
          "name": "thumbprint", "in": "path", "required": true,
          "schema": {"type": "string", "pattern": "^[0-9A-Fa-f]{40}$"},
          "examples": {
            "unknown": {"value": "0123456789ABCDEF0123456789ABCDEF01234567", "x-status": 404}{{more}}
          }
        }
        """;

    public static ApiOperation List { get; } = new(
        static () => $$"""
        {
          "operationId": "getCertificates", "tags": ["Certificates"],
          "summary": "The certificates in the folders of the PKI. Role: SecurityAdmin.",
          "parameters": [
            {
              "name": "store", "in": "query", "schema": {"enum": {{Stores}} },
              "description": "Those of this one alone.",
              "examples": {"few": {"value": "own"}, "noStore": {"value": "drawer", "x-status": 400} }
            },
            {{Described.Page}}, {{ApiText.KnownTag}}
          ],
          "responses": { {{Described.TaggedPageAnswers}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
    };

    public static ApiOperation Get { get; } = new(
        static () => $$"""
        {
          "operationId": "getCertificate", "tags": ["Certificates"], "summary": "One certificate. Role: SecurityAdmin.",
          "parameters": [
            {{Thumbprint(NoField)}}, {{Described.EntryFields}}
          ],
          "responses": {"200": {{Described.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
        OwnProblems = [Missing],
    };

    public static ApiOperation Trust { get; } = new(
        static () => $$"""
        {
          "operationId": "trustCertificate", "tags": ["Certificates"],
          "summary": "Move a certificate to those that are trusted. Role: SecurityAdmin.",
          "parameters": [
            {{Thumbprint(NoStore)}},
            {
              "name": "as", "in": "query", "schema": {"enum": ["application", "user"]},
              "description": "Without it: as it came.",
              "examples": {"noStore": {"value": "drawer", "x-status": 400} }
            },
            {{Described.PlainFields}}
          ],
          "responses": {"200": {{Described.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
        OwnProblems = OfMoves,
    };

    public static ApiOperation Reject { get; } = new(
        static () => $$"""
        {
          "operationId": "rejectCertificate", "tags": ["Certificates"],
          "summary": "Move a certificate to those that are rejected.", "description": "{{Ended}}",
          "parameters": [
            {{Thumbprint("")}}, {{Described.PlainFields}}
          ],
          "responses": {"200": {{Described.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
        OwnProblems = OfMoves,
    };

    public static ApiOperation Delete { get; } = new(
        static () => $$"""
        {
          "operationId": "deleteCertificate", "tags": ["Certificates"],
          "summary": "Delete a certificate from all folders.", "description": "{{Ended}}",
          "parameters": [{{Thumbprint("")}}],
          "responses": {"204": {"description": "It is gone."} }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        OwnProblems = OfMoves,
    };
}
