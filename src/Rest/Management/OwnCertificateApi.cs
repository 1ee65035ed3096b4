using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of the gateway's own certificate.</summary>
internal static class OwnCertificateApi
{
    private const string Schemas =
        """
        {
          "OwnCertificate": {
            "type": "object",
            "properties": {
              "thumbprint": {"type": "string"}, "notAfter": {"type": "string", "format": "date-time"},
              "inForce": {
                "type": "boolean",
                "description": "For new connections; open ones keep the one before. False: from the next start on."
              }
            },
            "required": ["thumbprint", "notAfter", "inForce"], "additionalProperties": false
          },
          "SigningRequest": {
            "type": "object",
            "properties": {"request": {"type": "string", "description": "PKCS#10 in PEM."} },
            "required": ["request"], "additionalProperties": false
          }
        }
        """;

    private const string Answer =
        """
        {
          "description": "The own certificate of now.",
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/OwnCertificate"} } }
        }
        """;

    private static ApiProblem Failed { get; } = new(
        500, "The PKI folders cannot be changed", StatusCodes.BadResourceUnavailable);

    public static ApiOperation Make { get; } = new(
        static () => $$"""
        {
          "operationId": "makeOwnCertificate", "tags": ["Certificates"],
          "summary": "Make a new own certificate and key. Role: SecurityAdmin.",
          "description": "Every client and upstream has to trust it anew. The old files go to own/replaced.",
          "responses": {"200": {{Answer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
        OwnProblems = [Failed],
    };

    public static ApiOperation MakeRequest { get; } = new(
        """
        {
          "operationId": "makeSigningRequest", "tags": ["Certificates"],
          "summary": "A signing request for the own certificate and its key. Role: SecurityAdmin.",
          "responses": {
            "200": {
              "description": "For an authority; nothing changes.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SigningRequest"} } }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Take { get; } = new(
        static () => $$"""
        {
          "operationId": "setOwnCertificate", "tags": ["Certificates"],
          "summary": "Take what an authority has made of the signing request. Role: SecurityAdmin.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "certificate": {
                      "type": "string", "description": "PEM or Base64 of DER; the authorities above it may follow."
                    }
                  },
                  "required": ["certificate"]
                },
                "examples": {"noCertificate": {"value": {"certificate": "AAAA"}, "x-status": 400} }
              }
            }
          },
          "responses": {"200": {{Answer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Schemas,
        OwnProblems = [Failed],
    };
}
