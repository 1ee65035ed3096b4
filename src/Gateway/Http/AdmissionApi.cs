using Gateway.Rest.Routing;

namespace Gateway.Host.Http;

/// <summary>The descriptions of admission.</summary>
internal static class AdmissionApi
{
    private const string Schemas =
        """
        {
          "Limit": {
            "type": "object",
            "properties": {
              "name": {"type": "string", "description": "The key below Limits:."},
              "value": {"type": ["number", "string"], "description": "Of a time hh:mm:ss."}
            },
            "required": ["name"], "additionalProperties": false
          },
          "AdmissionFlow": {
            "type": "object",
            "properties": {
              "seconds": {"type": "number"}, "admitted": {"type": "integer"}, "queued": {"type": "integer"},
              "refused": {"type": "integer"},
              "refusals": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "reason": {"type": "string"}, "count": {"type": "integer"},
                    "limit": {"$ref": "#/components/schemas/Limit"}
                  },
                  "required": ["reason", "count"], "additionalProperties": false
                }
              }
            },
            "required": ["seconds", "admitted", "queued", "refused", "refusals"], "additionalProperties": false
          },
          "AdmissionReport": {
            "type": "object",
            "properties": {
              "at": {"type": "string", "format": "date-time"}, "enabled": {"type": "boolean"},
              "handshakes": {
                "type": "object",
                "properties": {
                  "window": {"type": "integer"}, "underWay": {"type": "integer"},
                  "ratePerSecond": {"type": "number"}, "concurrencyShare": {"type": "number"}
                },
                "required": ["window", "underWay", "ratePerSecond", "concurrencyShare"], "additionalProperties": false
              },
              "stages": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "stage": {"type": "string"}, "limit": {"$ref": "#/components/schemas/Limit"},
                    "inUse": {"type": "integer"}, "waiting": {"type": "integer"},
                    "lastMinute": {"$ref": "#/components/schemas/AdmissionFlow"},
                    "lastFiveMinutes": {"$ref": "#/components/schemas/AdmissionFlow"}
                  },
                  "required": ["stage", "inUse", "waiting", "lastMinute", "lastFiveMinutes"],
                  "additionalProperties": false
                }
              },
              "busiest": {
                "type": "object",
                "properties": {
                  "certificates": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "thumbprint": {"type": "string"}, "subject": {"type": "string"},
                        "applicationUri": {"type": "string"}, "address": {"type": "string"},
                        "channels": {"type": "integer"}, "attemptsLastMinute": {"type": "integer"},
                        "attemptsLastFiveMinutes": {"type": "integer"}, "refusalsLastFiveMinutes": {"type": "integer"}
                      },
                      "required": ["thumbprint", "channels"], "additionalProperties": false
                    }
                  },
                  "addresses": {
                    "type": "array",
                    "items": {
                      "type": "object",
                      "properties": {
                        "address": {"type": "string"}, "connections": {"type": "integer"},
                        "httpConnections": {"type": "integer"}, "attemptsLastMinute": {"type": "integer"},
                        "attemptsLastFiveMinutes": {"type": "integer"}, "refusalsLastFiveMinutes": {"type": "integer"},
                        "verifiedCertificates": {"type": "integer"}, "falseClaims": {"type": "integer"}
                      },
                      "required": ["address", "connections"], "additionalProperties": false
                    }
                  }
                },
                "required": ["certificates", "addresses"], "additionalProperties": false
              },
              "advice": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {"stage": {"type": "string"}, "limit": {"type": "string"}, "text": {"type": "string"}},
                  "required": ["text"], "additionalProperties": false
                }
              }
            },
            "required": ["at", "enabled", "handshakes", "stages", "busiest", "advice"], "additionalProperties": false
          },
          "Refusal": {
            "type": "object",
            "properties": {
              "at": {"type": "string", "format": "date-time"}, "stage": {"type": "string"},
              "reason": {"type": "string"}, "status": {"type": "string"}, "retryAfterMs": {"type": "integer"},
              "address": {"type": "string"}, "thumbprint": {"type": "string"}, "subject": {"type": "string"},
              "user": {"type": "string"}, "detail": {"type": "string"},
              "limit": {"$ref": "#/components/schemas/Limit"},
              "advice": {"type": "string", "description": "What to do about it."}
            },
            "required": ["at", "stage", "reason", "status", "address"], "additionalProperties": false
          }
        }
        """;

    public static ApiOperation Report { get; } = new(
        """
        {
          "operationId": "getAdmission", "tags": ["Gateway"],
          "summary": "Each stage of admission, the busiest clients, and what to change.",
          "responses": {
            "200": {
              "description": "As it is now.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AdmissionReport"}}}
            }
          }
        }
        """)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Decisions { get; } = new(
        """
        {
          "operationId": "getAdmissionDecisions", "tags": ["Gateway"],
          "summary": "The last refusals and connections that the gateway ended, newest first.",
          "responses": {
            "200": {
              "description": "With the remedy of each.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "total": {"type": "integer", "description": "Also those that are kept no more."},
                      "decisions": {
                        "type": "array", "maxItems": 1000, "items": {"$ref": "#/components/schemas/Refusal"}
                      }
                    },
                    "required": ["total", "decisions"], "additionalProperties": false
                  }
                }
              }
            }
          }
        }
        """)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation WhatIf { get; } = new(
        """
        {
          "operationId": "getAdmissionWhatIf", "tags": ["Gateway"],
          "summary": "Had a limit been higher, how many of those rejected last would have come in?",
          "description": "By the refusals that are kept; known is false where they do not tell.",
          "parameters": [
            {
              "name": "limit", "in": "query", "required": true, "schema": {"type": "string"},
              "examples": {"more": {"value": "MaxSessions"}, "noLimit": {"value": "MaxFun", "x-status": 400} }
            },
            {
              "name": "value", "in": "query", "required": true, "schema": {"type": "number", "minimum": 0},
              "examples": {"more": {"value": 20000}, "noLimit": {"value": 20000, "x-status": 400} }
            }
          ],
          "responses": {
            "200": {
              "description": "At most so many.",
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "limit": {"type": "string"}, "value": {"type": "number"}, "inForce": {"type": "number"},
                      "known": {"type": "boolean"}, "from": {"type": "string", "format": "date-time"},
                      "to": {"type": "string", "format": "date-time"},
                      "refused": {"type": "integer", "description": "Attempts that this limit rejected."},
                      "wouldHaveBeenLetIn": {"type": "integer", "description": "Of these, at most."},
                      "words": {"type": "string"}
                    },
                    "required": ["limit", "value", "known", "words"], "additionalProperties": false
                  }
                }
              }
            }
          }
        }
        """,
        Codec.Types.StatusCodes.BadInvalidArgument);
}
