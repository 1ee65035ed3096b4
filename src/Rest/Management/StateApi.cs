using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary>The descriptions of the gateway's facts, configuration, limits and PubSub.</summary>
internal static class StateApi
{
    private static ManagementList DescribedValues => new("values", "ConfigurationEntry", ValueMembers);

    private static ManagementList DescribedLimits => new("limits", "LimitEntry", LimitMembers);

    private const string ValueMembers =
        """
        {
          "key": {"type": "string", "description": "As on the command line: OpcUa:Port."},
          "value": {"type": "string", "description": "In force; absent of a secret."},
          "secret": {"const": true, "description": "Its value is shown to nobody."},
          "origin": {"enum": ["default", "file", "environment", "command line"]},
          "source": {"type": "string", "description": "The file."},
          "restart": {"const": true, "description": "A running gateway does not take another value."},
          "pending": {"const": true, "description": "The file has another value, which the next start takes."},
          "next": {"type": "string", "description": "That value; absent of a secret."},
          "changed": {"const": true, "description": "The last reload has changed it."},
          "before": {"type": "string", "description": "The value before that; absent of a secret."}
        }
        """;

    private const string LimitMembers =
        """
        {
          "name": {"type": "string", "description": "The key below Limits:."},
          "inForce": {"type": ["number", "string"], "description": "Of a time hh:mm:ss."},
          "configured": {"type": ["number", "string"], "description": "More than in force: another limit allows less."},
          "default": {"type": ["number", "string"]},
          "origin": {"enum": ["default", "file", "environment", "command line"]},
          "use": {"type": "integer", "description": "Now; absent of a rate, a deadline, the size of one message."},
          "part": {"type": "string", "description": "The part that enforces it."},
          "bounds": {"type": "string"},
          "whenItActs": {"type": "string", "description": "The effect at the limit, and the counter that tells."},
          "remedy": {"type": "string", "description": "When to lower or raise it."}
        }
        """;

    private const string InfoSchemas =
        """
        {
          "GatewayInfo": {
            "type": "object",
            "properties": {
              "product": {"type": "string"}, "version": {"type": "string"}, "applicationName": {"type": "string"},
              "applicationUri": {"type": "string"}, "startTime": {"type": "string", "format": "date-time"},
              "runtime": {"type": "string", "description": "The .NET that it runs on."},
              "operatingSystem": {"type": "string"}, "processors": {"type": "integer", "minimum": 1},
              "demo": {"type": "boolean"},
              "namespaces": {
                "type": "array", "items": {"type": "string"}, "description": "In the order of their indexes."
              },
              "endpoints": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "url": {"type": "string"}, "transportProfile": {"type": "string"},
                    "securityPolicy": {"type": "string"},
                    "securityMode": {"enum": ["None", "Sign", "SignAndEncrypt"]},
                    "userTokens": {
                      "type": "array", "items": {"enum": ["Anonymous", "UserName", "Certificate", "IssuedToken"]}
                    }
                  },
                  "required": ["url", "transportProfile", "securityPolicy", "securityMode", "userTokens"],
                  "additionalProperties": false
                }
              }
            },
            "required": [
              "product", "version", "applicationName", "applicationUri", "startTime", "runtime", "operatingSystem",
              "processors", "demo", "namespaces", "endpoints"
            ],
            "additionalProperties": false
          }
        }
        """;

    private const string PubSubSchemas =
        """
        {
          "PubSub": {
            "type": "object",
            "properties": {
              "configured": {"type": "boolean"}, "publisherId": {"type": "string"},
              "connections": {"type": "array", "items": {"type": "object"}},
              "dataSets": {"type": "array", "items": {"type": "object"}},
              "readerConnections": {"type": "array", "items": {"$ref": "#/components/schemas/PubSubReaderConnection"} },
              "readers": {"type": "array", "items": {"$ref": "#/components/schemas/PubSubReader"} },
              "detail": {"type": "string"}
            },
            "required": ["configured", "connections", "dataSets"], "additionalProperties": false
          },
          "PubSubReaderConnection": {
            "type": "object",
            "properties": {
              "name": {"type": "string"}, "address": {"type": "string"},
              "state": {"type": "string", "enum": ["Operational", "Error"]},
              "detail": {"type": "string", "description": "Why nothing comes."}, "messages": {"type": "integer"},
              "connects": {"type": "integer", "description": "How often the broker has taken the connection."},
              "strangers": {"type": "integer", "description": "Messages of publishers that no reader takes."},
              "chunkTimeouts": {"type": "integer"},
              "probes": {"type": "integer", "description": "Questions to publishers for metadata."}
            },
            "required": ["name", "address", "state", "messages"], "additionalProperties": false
          },
          "PubSubReader": {
            "type": "object",
            "properties": {
              "connection": {"type": "string"}, "group": {"type": "string"}, "name": {"type": "string"},
              "publisherId": {"type": "string"}, "dataSetWriterId": {"type": "integer"},
              "state": {"type": "string", "enum": ["PreOperational", "Operational", "Error"]},
              "lastMessageAt": {"type": "string", "format": "date-time"}, "fields": {"type": "integer"},
              "messages": {"type": "integer"}, "values": {"type": "integer"}, "repeats": {"type": "integer"},
              "gaps": {"type": "integer"},
              "problems": {"type": "object", "additionalProperties": {"type": "integer"} }
            },
            "required": ["connection", "group", "name", "publisherId", "dataSetWriterId", "state", "fields"],
            "additionalProperties": false
          }
        }
        """;

    /// <summary>Of an object with an ETag.</summary>
    private static string Tagged(string id, string summary, string schema) =>
        $$"""
        {
          "operationId": "{{id}}", "tags": ["Gateway"], "summary": "{{summary}}",
          "parameters": [{{ApiText.KnownTag}}],
          "responses": {
            "200": {
              "description": "As it is now.", "headers": {{ApiText.Tag}},
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/{{schema}}"} } }
            },
            "304": {{ApiText.NotModified}}
          }
        }
        """;

    public static ApiOperation Info { get; } = new(
        static () => Tagged("getInfo", "The gateway's version, namespaces and endpoints.", "GatewayInfo"),
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => InfoSchemas,
    };

    public static ApiOperation PubSub { get; } = new(
        static () => Tagged("getPubSub", "The connections and data sets of PubSub.", "PubSub"),
        StatusCodes.BadUserAccessDenied)
    {
        Schemas = static () => PubSubSchemas,
    };

    public static ApiOperation Configuration { get; } = new(
        static () => $$"""
        {
          "operationId": "getConfiguration", "tags": ["Gateway"], "summary": "Each value in force, and its origin.",
          "description": "Roles: Engineer, SecurityAdmin.",
          "parameters": [{{DescribedValues.Page}}, {{ApiText.KnownTag}}],
          "responses": { {{DescribedValues.TaggedPageAnswers}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => DescribedValues.Schemas,
    };

    public static ApiOperation Limits { get; } = new(
        static () => $$"""
        {
          "operationId": "getLimits", "tags": ["Gateway"], "summary": "Each limit, its use and its remedy.",
          "parameters": [
            {
              "name": "name", "in": "query", "schema": {"type": "string"}, "description": "This one alone.",
              "examples": {"one": {"value": "MaxSessions"} }
            },
            {{DescribedLimits.Page}}
          ],
          "responses": {"200": {{DescribedLimits.PageAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => DescribedLimits.Schemas,
    };
}
