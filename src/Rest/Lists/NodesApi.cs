using Gateway.Codec.Structures;
using Gateway.Rest.Nodes;
using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Lists;

/// <summary>The descriptions of nodes and the lists of them.</summary>
internal static class NodesApi
{
    private static string Classes => ApiText.ArrayOf(
        Enum.GetNames<NodeClass>().Where(static name => name != nameof(NodeClass.Unspecified)));

    private static string Schemas =>
        $$"""
        {
          "NodeDescription": {
            "type": "object",
            "description": "A member that the node does not have, or that was not asked for, is absent.",
            "properties": {
              "node": {"type": "string"},
              "nodeClass": {"enum": {{Classes}} },
              "browseName": {
                "type": "string", "description": "nsu=<uri>;name; the name alone for the OPC UA namespace."
              },
              "displayName": {"type": "string"},
              "description": {"type": "string"},
              "typeDefinition": {"type": "string"},
              "dataType": {"type": "string"},
              "valueRank": {"type": "integer", "minimum": -3},
              "access": {
                "type": "array", "items": {"enum": ["read", "write", "call"]}, "description": "What the user may do."
              },
              "path": {"type": "string", "description": "From the Root folder."}
            },
            "additionalProperties": false
          },
          "NodeList": {
            "type": "object",
            "properties": {
              "nodes": {
                "type": "array", "items": {"$ref": "#/components/schemas/NodeDescription"},
                "maxItems": "{MaxHttpPageNodes}"
              },
              "next": {"type": "string", "description": "More follow: send it back as cursor."},
              "complete": {"const": false, "description": "The search ended before it had seen all nodes."}
            },
            "required": ["nodes"], "additionalProperties": false
          }
        }
        """;

    private const string NoCursor = """, "noCursor": {"value": "ns=2;s=Methods", "x-status": 400}""";

    /// <param name="more">Examples of one operation.</param>
    private static string Id(string more) =>
        $$"""
        {
          "name": "id", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1},
          "description": "nsu=<uri>;s=x, ns=2;s=x, or a path as /Objects/2:Plant.",
          "examples": {
            "some": {"value": "ns=2;s=Methods"}, "unknown": {"value": "ns=2;s=Nowhere", "x-status": 404},
            "noId": {"value": "Int16", "x-status": 400}, "noField": {"value": "ns=2;s=Int16", "x-status": 400}
            {{more}}
          }
        }
        """;

    private static string Fields =>
        $$"""
        {
          "name": "fields", "in": "query", "style": "form", "explode": false,
          "description": "The members that are wanted; without it all.",
          "schema": {"type": "array", "items": {"enum": {{ApiText.ArrayOf(FieldsQuery.All)}} } },
          "examples": {
            "some": {"value": ["node", "nodeClass", "access"]}, "noField": {"value": ["colour"], "x-status": 400}
          }
        }
        """;

    private const string Page =
        """
        {
          "name": "limit", "in": "query", "description": "Nodes of a page; a larger number is cut to the limit.",
          "schema": {"type": "integer", "minimum": 1, "default": 100},
          "examples": {"some": {"value": 2}}
        },
        {
          "name": "cursor", "in": "query", "description": "The member next of the page before.",
          "schema": {"type": "string", "maxLength": 32},
          "examples": {"noCursor": {"value": "nonsense", "x-status": 400}}
        }
        """;

    private const string List =
        """
        "description": "A page.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NodeList"}}}
        """;

    public static ApiOperation Get { get; } = new(
        static () => $$"""
        {
          "operationId": "getNode", "tags": ["Nodes"], "summary": "Describe a node.",
          "parameters": [
            {{Id("")}}, {{Fields}}, {{ApiText.KnownTag}}
          ],
          "responses": {
            "200": {
              "description": "The node as the user sees it.",
              "headers": {{ApiText.Tag}},
              "content": {
                "application/json": {
                  "schema": {"$ref": "#/components/schemas/NodeDescription"},
                  "examples": {
                    "some": {
                      "value": {"node": "nsu=urn:gateway:simulator;s=Methods", "nodeClass": "Object", "access": []}
                    }
                  }
                }
              }
            },
            "304": {{ApiText.NotModified}}
          }
        }
        """,
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadInvalidArgument, StatusCodes.BadNodeIdUnknown,
        StatusCodes.BadNoMatch, StatusCodes.BadTooManyMatches)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Children { get; } = new(
        static () => $$"""
        {
          "operationId": "getChildren", "tags": ["Nodes"], "summary": "List what a node holds.",
          "parameters": [
            {{Id(NoCursor)}}, {{Fields}}, {{Page}}, {{ApiText.KnownTag}}
          ],
          "responses": {
            "200": {"headers": {{ApiText.Tag}}, {{List}} },
            "304": {{ApiText.NotModified}}
          }
        }
        """,
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadInvalidArgument, StatusCodes.BadContinuationPointInvalid,
        StatusCodes.BadNodeIdUnknown, StatusCodes.BadNoMatch, StatusCodes.BadTooManyMatches)
    {
        Path = "/nodes/{id}/children",
        Schemas = static () => Schemas,
    };

    public static ApiOperation Search { get; } = new(
        static () => $$"""
        {
          "operationId": "searchNodes", "tags": ["Nodes"], "summary": "Find nodes by words.",
          "parameters": [
            {
              "name": "q", "in": "query", "schema": {"type": "string"},
              "description": "15 words of 256 characters, each in names, description, id or path; or a path of 4096.",
              "examples": {
                "some": {"value": "Int16"}, "noField": {"value": "Int16", "x-status": 400},
                "noCursor": {"value": "Int16", "x-status": 400}, "nothing": {"value": "", "x-status": 400},
                "noType": {"value": "Int16", "x-status": 400}
              }
            },
            {
              "name": "type", "in": "query", "schema": {"type": "string"},
              "description": "The name or id of a type or data type: its nodes and those of its subtypes.",
              "examples": {
                "ofType": {"value": "AnalogItemType"}, "noType": {"value": "NoType", "x-status": 400}
              }
            },
            {
              "name": "class", "in": "query", "style": "form", "explode": false,
              "schema": {"type": "array", "items": {"enum": {{Classes}} } },
              "examples": {"some": {"value": ["Variable"]} }
            },
            {{Fields}}, {{Page}}
          ],
          "responses": {"200": { {{List}} } }
        }
        """,
        StatusCodes.BadInvalidArgument, StatusCodes.BadNothingToDo, StatusCodes.BadOutOfRange,
        StatusCodes.BadNodeIdUnknown, StatusCodes.BadNoMatch, StatusCodes.BadTooManyMatches)
    {
        Schemas = static () => Schemas,
    };
}
