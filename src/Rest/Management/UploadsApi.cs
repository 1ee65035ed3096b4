using Gateway.Rest.Routing;
using Gateway.Transport.Certificates.Inventory;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of uploads, downloads and revocation lists.</summary>
internal static class UploadsApi
{
    private static ManagementList DescribedLists => new("lists", "RevocationListEntry", ListMembers);

    private static string Stores => ApiText.ArrayOf(
        Enum.GetValues<CertificateStore>().Where(CertificateUploads.Takes).Select(CertificateInventory.NameOf));

    private static string ListMembers =>
        $$"""
        {
          "id": {"type": "string", "description": "SHA-256 of the file."},
          "store": {"enum": {{Stores}} }, "file": {"type": "string"}, "issuer": {"type": "string"},
          "thisUpdate": {"type": "string", "format": "date-time"},
          "nextUpdate": {"type": "string", "format": "date-time"},
          "revoked": {"type": "integer", "minimum": 0, "description": "Certificates that it names."}
        }
        """;

    private static ApiProblem Missing { get; } = new(
        404, "No folder holds such a certificate", StatusCodes.BadNotFound);

    private static ApiProblem Failed { get; } = new(
        500, "The PKI folders cannot be changed", StatusCodes.BadResourceUnavailable);

    private static ApiProblem IsOwn { get; } = new(
        409, "The gateway's own certificate stays where it is", StatusCodes.BadInvalidState);

    private const string Unknown =
        """
        {
          "name": "thumbprint", "in": "path", "required": true,
          "schema": {"type": "string", "pattern": "^[0-9A-Fa-f]{40}$"},
          "examples": {"unknown": {"value": "0123456789ABCDEF0123456789ABCDEF01234567", "x-status": 404} }
        }
        """;

    private static string Body(string member) =>
        $$"""
        {
          "required": true,
          "content": {
            "application/json": {
              "schema": {
                "type": "object",
                "properties": {
                  "store": {"enum": {{Stores}} },
                  "{{member}}": {"type": "string", "description": "PEM, or Base64 of DER; one."}
                },
                "required": ["store", "{{member}}"]
              },
              "examples": {
                "noFile": {"value": {"store": "trusted", "{{member}}": "AAAA"}, "x-status": 400},
                "noStore": {"value": {"store": "drawer", "{{member}}": "AAAA"}, "x-status": 400}
              }
            }
          }
        }
        """;

    public static ApiOperation Add { get; } = new(
        static () => $$"""
        {
          "operationId": "uploadCertificate", "tags": ["Certificates"],
          "summary": "Put a certificate into a folder. A rejected one moves. Role: SecurityAdmin.",
          "requestBody": {{Body("certificate")}},
          "responses": {"201": {{CertificatesApi.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => CertificatesApi.EntrySchemas,
        OwnProblems = [IsOwn, Failed],
    };

    public static ApiOperation Download { get; } = new(
        static () => $$"""
        {
          "operationId": "downloadCertificate", "tags": ["Certificates"],
          "summary": "The file of a certificate; never a key. Role: SecurityAdmin.",
          "parameters": [
            {{Unknown}},
            {
              "name": "format", "in": "query", "schema": {"enum": ["pem", "der"], "default": "pem"},
              "examples": {"unknown": {"value": "der"} }
            }
          ],
          "responses": {
            "200": {
              "description": "The certificate.",
              "content": {
                "application/x-pem-file": {"schema": {"type": "string"} },
                "application/pkix-cert": {"schema": {"type": "string", "contentEncoding": "binary"} }
              }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        OwnProblems = [Missing],
    };

    public static ApiOperation TrustIssuer { get; } = new(
        static () => $$"""
        {
          "operationId": "trustIssuer", "tags": ["Certificates"],
          "summary": "Trust the authority that issued a certificate, and with it all that it has issued.",
          "description": "The gateway has to have the authority's certificate in a folder. Role: SecurityAdmin.",
          "parameters": [{{Unknown}}],
          "responses": {"200": {{CertificatesApi.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => CertificatesApi.EntrySchemas,
        OwnProblems =
        [
            Missing, IsOwn, Failed,
            new(409, "The gateway does not have the certificate of its issuer", StatusCodes.BadInvalidState),
        ],
    };

    public static ApiOperation Lists { get; } = new(
        static () => $$"""
        {
          "operationId": "getRevocationLists", "tags": ["Certificates"],
          "summary": "The revocation lists in the folders of the PKI. Role: SecurityAdmin.",
          "parameters": [{{DescribedLists.Page}}],
          "responses": {"200": {{DescribedLists.PageAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => DescribedLists.Schemas,
    };

    public static ApiOperation AddList { get; } = new(
        static () => $$"""
        {
          "operationId": "uploadRevocationList", "tags": ["Certificates"],
          "summary": "Put a revocation list into a folder. Role: SecurityAdmin.",
          "requestBody": {{Body("list")}},
          "responses": {"201": {{DescribedLists.EntryAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => DescribedLists.Schemas,
        OwnProblems = [Failed],
    };

    public static ApiOperation DeleteList { get; } = new(
        """
        {
          "operationId": "deleteRevocationList", "tags": ["Certificates"],
          "summary": "Delete a revocation list. Role: SecurityAdmin.",
          "parameters": [
            {
              "name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1},
              "examples": {"unknown": {"value": "0123456789ABCDEF0123456789ABCDEF01234567", "x-status": 404} }
            }
          ],
          "responses": {"204": {"description": "It is gone."} }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        OwnProblems = [new(404, "There is no such revocation list", StatusCodes.BadNotFound), Failed],
    };
}
