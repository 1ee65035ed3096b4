using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of checks of the configuration.</summary>
internal static class ConfigurationApi
{
    public const string Wrong = "The configuration is wrong, and nothing of it is taken over";
    public const string None = "The configuration was not read again since the start";

    private const string Answer =
        """
        "responses": {
          "200": {
            "description": "The reload and its changes.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ConfigurationReload"} } }
          }
        }
        """;

    private const string Schemas =
        """
        {
          "ConfigurationReload": {
            "type": "object",
            "properties": {
              "at": {"type": "string", "format": "date-time"},
              "by": {"type": "string", "description": "The file, the signal, or the operator who asked for it."},
              "applied": {"type": "boolean", "description": "False: it was wrong, and all stayed as it was."},
              "restart": {"type": "boolean", "description": "Some of the changes need a restart."},
              "errors": {"type": "array", "items": {"$ref": "#/components/schemas/ConfigurationFault"} },
              "warnings": {"type": "array", "items": {"type": "string"} },
              "changes": {"type": "array", "items": {"$ref": "#/components/schemas/ConfigurationChange"} },
              "faults": {
                "type": "array", "items": {"$ref": "#/components/schemas/ConfigurationFault"},
                "description": "Sections that a fault of the gateway kept it from taking over."
              }
            },
            "required": ["at", "by", "applied", "restart", "errors", "warnings", "changes"],
            "additionalProperties": false
          },
          "ConfigurationVerdict": {
            "type": "object",
            "properties": {
              "ok": {"type": "boolean", "description": "The gateway would start with it."},
              "restart": {"type": "boolean", "description": "Some of the changes need a restart."},
              "errors": {"type": "array", "items": {"$ref": "#/components/schemas/ConfigurationFault"} },
              "warnings": {"type": "array", "items": {"type": "string"}, "description": "Settings without effect."},
              "changes": {"type": "array", "items": {"$ref": "#/components/schemas/ConfigurationChange"} }
            },
            "required": ["ok", "restart", "errors", "warnings", "changes"], "additionalProperties": false
          },
          "ConfigurationFault": {
            "type": "object",
            "properties": {
              "key": {"type": "string", "description": "Absent where the text is no JSON."},
              "problem": {"type": "string"}
            },
            "required": ["problem"], "additionalProperties": false
          },
          "ConfigurationChange": {
            "type": "object",
            "properties": {
              "key": {"type": "string", "description": "As on the command line: OpcUa:Port."},
              "from": {"type": "string", "description": "In force now; absent where there is none, and of a secret."},
              "to": {"type": "string", "description": "Absent where there is none, and of a secret."},
              "secret": {"const": true, "description": "Its values are shown to nobody."},
              "restart": {"const": true, "description": "A running gateway does not take it."}
            },
            "required": ["key"], "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Check { get; } = new(
        """
        {
          "operationId": "checkConfiguration", "tags": ["Gateway"],
          "summary": "What is wrong in a configuration, and what it would change. Changes nothing. Role: Engineer.",
          "description": "It stands in the place of the configuration file, below environment and command line.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {"type": "object", "description": "The content of an appsettings.json."},
                "examples": {
                  "change": {"value": {"Limits": {"MaxSessions": 100} } },
                  "wrong": {"value": {"Limits": {"MaxSesions": "many"} } }
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "The verdict, also where it is wrong.",
              "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/ConfigurationVerdict"} }
              }
            }
          }
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Reload { get; } = new(
        static () => $$"""
        {
          "operationId": "reloadConfiguration", "tags": ["Gateway"],
          "summary": "Read the configuration again and take it over while sessions stay. Role: Engineer.",
          {{Answer}}
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
        OwnProblems = [new(409, Wrong, StatusCodes.BadConfigurationError)],
    };

    public static ApiOperation Last { get; } = new(
        static () => $$"""
        {
          "operationId": "getReload", "tags": ["Gateway"],
          "summary": "What the last reload of the configuration has done.",
          {{Answer}}
        }
        """,
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => Schemas,
        OwnProblems = [new(404, None, StatusCodes.BadNotFound)],
    };
}
