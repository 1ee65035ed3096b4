using Gateway.Codec.Types;
using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Values;

/// <summary>The descriptions of reading and writing values.</summary>
internal static class ValuesApi
{
    private static string TypeNames => ApiText.ArrayOf(
        Enum.GetNames<BuiltInType>().Where(static name => name != nameof(BuiltInType.Null)));

    /// <summary>Also of streams.</summary>
    public static string Schemas =>
        $$"""
        {
          "Node": {
            "type": "string", "minLength": 1, "maxLength": "{MaxHttpBodyBytes}",
            "description": "nsu=<uri>;s=x, ns=2;s=x, or a path as /Objects/2:Plant. Answers have the first form."
          },
          "Status": {
            "type": "string", "pattern": "^([A-Z][A-Za-z]+|0x[0-9A-F]{8})$",
            "description": "A StatusCode by its name."
          },
          "Value": {
            "type": "object",
            "description": "Without a value: the node is unknown, hidden from the user, or has none.",
            "properties": {
              "node": {"$ref": "#/components/schemas/Node"},
              "value": {"description": "A boolean, number, string or object as the type says, or arrays of them."},
              "type": {"enum": {{TypeNames}}, "description": "The built-in type; of an array, that of its elements."},
              "status": {"$ref": "#/components/schemas/Status"},
              "sourceTimestamp": {"type": "string", "format": "date-time"},
              "serverTimestamp": {"type": "string", "format": "date-time"}
            },
            "required": ["node", "status"],
            "additionalProperties": false
          },
          "Values": {
            "type": "object",
            "properties": {"values": {"type": "array", "items": {"$ref": "#/components/schemas/Value"} } },
            "required": ["values"],
            "additionalProperties": false
          }
        }
        """;

    private const string WriteSchemas =
        """
        {
          "NewValue": {
            "type": "object",
            "properties": {
              "node": {"$ref": "#/components/schemas/Node"},
              "value": {"description": "Converted to the data type of the node."},
              "status": {"$ref": "#/components/schemas/Status"},
              "sourceTimestamp": {"type": "string", "format": "date-time"}
            },
            "required": ["node", "value"],
            "additionalProperties": false
          },
          "WriteResult": {
            "type": "object",
            "properties": {
              "node": {"$ref": "#/components/schemas/Node"},
              "status": {"$ref": "#/components/schemas/Status"},
              "message": {"type": "string", "description": "What was expected of a value that does not fit."}
            },
            "required": ["node", "status"],
            "additionalProperties": false
          }
        }
        """;

    private const string Answer =
        """
        {
          "description": "An entry for each node, in the order of the request.",
          "content": {
            "application/json": {
              "schema": {"$ref": "#/components/schemas/Values"},
              "examples": {
                "two": {
                  "value": {
                    "values": [
                      {
                        "node": "nsu=urn:gateway:simulator;s=ReadOnly", "value": 42, "type": "Int32",
                        "status": "Good", "sourceTimestamp": "2026-01-31T12:00:00Z",
                        "serverTimestamp": "2026-01-31T12:00:01Z"
                      },
                      {"node": "nsu=urn:gateway:simulator;s=Nowhere", "status": "BadNodeIdUnknown"}
                    ]
                  }
                }
              }
            },
            "text/csv": {
              "schema": {"type": "string", "description": "A table with a header, in UTF-8 with a byte order mark."},
              "examples": {
                "table": {
                  "value": "node,value,type,status,sourceTimestamp,serverTimestamp\r\ni=0,,,BadNodeIdUnknown,,"
                }
              }
            }
          }
        }
        """;

    private const string MaxAgeParameter =
        """
        {
          "name": "maxAge", "in": "query", "schema": {"type": "number", "minimum": 0, "default": 0},
          "description": "The age in ms that a value of a source may have; 0 asks the source.",
          "examples": {"table": {"value": 1000}, "negative": {"value": -1, "x-status": 400}}
        }
        """;

    public static ApiOperation Get { get; } = new(
        static () => $$"""
        {
          "operationId": "getValues", "tags": ["Values"], "summary": "Read the values of some nodes.",
          "parameters": [
            {
              "name": "node", "in": "query", "required": true, "description": "Repeat it for more nodes.",
              "schema": {
                "type": "array", "items": {"$ref": "#/components/schemas/Node"},
                "minItems": 1, "maxItems": "{MaxHttpNodes}"
              },
              "examples": {
                "two": {"value": ["ns=2;s=ReadOnly", "ns=2;s=Nowhere"]},
                "table": {"value": ["ns=2;s=Nowhere"]},
                "negative": {"value": ["ns=2;s=ReadOnly"], "x-status": 400},
                "noId": {"value": ["Int16"], "x-status": 400}
              }
            },
            {{MaxAgeParameter}}
          ],
          "responses": {"200": {{Answer}} }
        }
        """,
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadNothingToDo, StatusCodes.BadTooManyOperations,
        StatusCodes.BadMaxAgeInvalid)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Read { get; } = new(
        static () => $$"""
        {
          "operationId": "readValues", "tags": ["Values"], "summary": "Read the values of many nodes.",
          "parameters": [{{MaxAgeParameter}}],
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "nodes": {
                      "type": "array", "items": {"$ref": "#/components/schemas/Node"},
                      "minItems": 1, "maxItems": "{MaxHttpNodes}"
                    }
                  },
                  "required": ["nodes"], "additionalProperties": false
                },
                "examples": {
                  "two": {"value": {"nodes": ["ns=2;s=ReadOnly", "ns=2;s=Nowhere"]} },
                  "table": {"value": {"nodes": ["ns=2;s=Nowhere"]} },
                  "none": {"value": {"nodes": []}, "x-status": 400},
                  "negative": {"value": {"nodes": ["ns=2;s=ReadOnly"]}, "x-status": 400}
                }
              }
            }
          },
          "responses": {"200": {{Answer}} }
        }
        """,
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadNothingToDo, StatusCodes.BadTooManyOperations,
        StatusCodes.BadMaxAgeInvalid)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Write { get; } = new(
        """
        {
          "operationId": "writeValues", "tags": ["Values"], "summary": "Write values.",
          "description": "A value that does not fit is not written, and does not keep the others from it.",
          "requestBody": {
            "required": true,
            "content": {
              "application/json": {
                "schema": {
                  "type": "object",
                  "properties": {
                    "values": {
                      "type": "array", "items": {"$ref": "#/components/schemas/NewValue"},
                      "minItems": 1, "maxItems": "{MaxHttpNodes}"
                    }
                  },
                  "required": ["values"], "additionalProperties": false
                },
                "examples": {
                  "two": {
                    "value": {"values": [{"node": "ns=2;s=Int16", "value": 7}, {"node": "ns=2;s=Byte", "value": 300}]}
                  },
                  "noValue": {"value": {"values": [{"node": "ns=2;s=Int16"}]}, "x-status": 400}
                }
              }
            }
          },
          "responses": {
            "200": {
              "description": "A result for each value, in the order of the request.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "results": {"type": "array", "items": {"$ref": "#/components/schemas/WriteResult"}}
                    },
                    "required": ["results"], "additionalProperties": false
                  },
                  "examples": {
                    "two": {
                      "value": {
                        "results": [
                          {"node": "nsu=urn:gateway:simulator;s=Int16", "status": "Good"},
                          {
                            "node": "nsu=urn:gateway:simulator;s=Byte", "status": "BadTypeMismatch",
                            "message": "expected Byte, 0 … 255"
                          }
                        ]
                      }
                    }
                  }
                }
              }
            }
          }
        }
        """,
        StatusCodes.BadNodeIdInvalid, StatusCodes.BadNothingToDo, StatusCodes.BadTooManyOperations)
    {
        Schemas = static () => ApiText.Merge(Schemas, WriteSchemas),
    };
}
