using System.Text.Json;
using Gateway.Operations.Access;
using Gateway.Rest.Routing;

namespace Gateway.Rest.Management;

/// <summary>The description of the caller's own login.</summary>
internal static class MeApi
{
    private static string Schemas =>
        $$"""
        {
          "Me": {
            "type": "object",
            "properties": {
              "name": {"type": "string"},
              "kind": {"enum": {{ApiText.ArrayOf(Enum.GetValues<UserKind>().Select(NameOf))}} },
              "roles": {
                "type": "array", "items": {"enum": ["Observer", "Operator", "Engineer", "SecurityAdmin"]}
              },
              "permissions": {
                "type": "array", "description": "What the roles allow on the gateway itself.",
                "items": {"enum": {{ApiText.ArrayOf(Enum.GetValues<GatewayPermission>().Select(NameOf))}} }
              },
              "canWrite": {"type": "boolean", "description": "Nodes that say nothing else."},
              "canCall": {"type": "boolean", "description": "Methods that say nothing else."},
              "door": {"enum": ["http", "https"]}, "address": {"type": "string"},
              "expiresAt": {
                "type": "string", "format": "date-time", "description": "Of a token; absent of a login without an end."
              },
              "demo": {"type": "boolean", "description": "The gateway runs with --demo."}
            },
            "required": [
              "name", "kind", "roles", "permissions", "canWrite", "canCall", "door", "address", "demo"
            ],
            "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Get { get; } = new(
        """
        {
          "operationId": "getMe", "tags": ["Gateway"], "summary": "The caller's name, roles and permissions.",
          "responses": {
            "200": {
              "description": "As the gateway sees him.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Me"} } }
            }
          }
        }
        """)
    {
        Schemas = static () => Schemas,
    };

    /// <summary>How the user proved who he is.</summary>
    public static string NameOf(UserKind kind) => kind switch
    {
        UserKind.UserName => "password",
        UserKind.Certificate => "certificate",
        UserKind.IssuedToken => "token",
        _ => "anonymous",
    };

    public static string NameOf(GatewayPermission permission) =>
        JsonNamingPolicy.CamelCase.ConvertName(permission.ToString());
}
