using Gateway.Admission.Stages;
using Gateway.Rest.Routing;
using Gateway.Sources;
using Gateway.Sources.Upstreams;

namespace Gateway.Host.Http;

/// <summary>The descriptions of upstreams.</summary>
internal static class UpstreamApi
{
    private static string Schemas =>
        $$"""
        {
          "Upstreams": {
            "type": "object",
            "properties": {
              "upstreams": {
                "type": "array", "description": "By driver, then in the order of the configuration.",
                "items": {
                  "type": "object",
                  "properties": {
                    "name": {"type": "string"}, "endpointUrl": {"type": "string"},
                    "driver": {"type": "string", "description": "As the key Driver names it."},
                    "state": {"enum": ["{{string.Join("\",\"", States)}}"]},
                    "since": {"type": "string", "format": "date-time"}, "securityPolicy": {"type": "string"},
                    "securityMode": {"type": "string"}, "insecure": {"type": "boolean"},
                    "insecureReason": {"type": "string"}, "lastError": {"type": "string"},
                    "lastErrorAt": {"type": "string", "format": "date-time"},
                    "remedy": {"type": "string", "description": "What to do."},
                    "nodes": {"type": "integer"}, "namespaces": {"type": "integer"},
                    "counts": {
                      "type": "object", "description": "Since the start; monitoredItems: now.",
                      "properties": {
                        "connects": {"type": "integer"}, "connectFailures": {"type": "integer"},
                        "notifications": {"type": "integer", "description": "Values received."},
                        "lostMessages": {"type": "integer", "description": "Gaps that Republish did not fill."},
                        "resumed": {"type": "integer", "description": "Lost connections: the session went on."},
                        "transferred": {
                          "type": "integer", "description": "Lost connections: the subscription went on."
                        },
                        "recoveredMessages": {"type": "integer", "description": "By Republish, after those."},
                        "events": {"type": "integer", "description": "Received, those of refreshes among them."},
                        "refusedEvents": {"type": "integer", "description": "Beyond a limit, or not complete."},
                        "conditions": {"type": "integer", "description": "Known now, with their branches."},
                        "gaps": {
                          "type": "integer",
                          "description": "Lost connections: the subscription was gone, and changes with it."
                        },
                        "circuitBreaks": {"type": "integer", "description": "Times that connecting was suspended."},
                        "monitoredItems": {"type": "integer"},
                        "cyclicItems": {"type": "integer", "description": "Read again and again instead."}
                      },
                      "required": [
                        "connects", "connectFailures", "notifications", "lostMessages", "resumed",
                        "transferred", "recoveredMessages", "events", "refusedEvents", "conditions", "gaps",
                        "circuitBreaks", "monitoredItems", "cyclicItems"
                      ],
                      "additionalProperties": false
                    },
                    "latency": {
                      "type": "object",
                      "description": "Of its last answers to requests other than Publish; absent before the first.",
                      "properties": {
                        "lastMs": {"type": "number"}, "meanMs": {"type": "number"}, "worstMs": {"type": "number"},
                        "requests": {"type": "integer", "description": "So many are counted here, 32 at most."}
                      },
                      "required": ["lastMs", "meanMs", "worstMs", "requests"], "additionalProperties": false
                    },
                    "load": {
                      "type": "object",
                      "description": "Its load budget, and how much of it the upstream gets now; driver opcua.",
                      "properties": {
                        "profile": {"type": "string"}, "maxItems": {"type": "integer"},
                        "maxConcurrentRequests": {"type": "integer"}, "maxRequestsPerSecond": {"type": "integer"},
                        "maxReadsPerSecond": {"type": "integer"},
                        "concurrency": {"type": "integer", "description": "Requests at a time, now."},
                        "pace": {"type": "number", "description": "The share of the rates, now: 1 is all."},
                        "waiting": {"type": "integer", "description": "Requests that wait for their turn."},
                        "cuts": {
                          "type": "object", "additionalProperties": {"type": "integer"},
                          "description": "How often it was asked for less, by cause: slow, timeout, refused."
                        },
                        "lastCut": {"type": "string"}, "lastCutAt": {"type": "string", "format": "date-time"},
                        "refused": {
                          "type": "object", "additionalProperties": {"type": "integer"},
                          "description": "Wishes of clients refused, by the budget that was used up."
                        },
                        "lastRefusal": {"type": "string", "description": "In words."},
                        "lastRefusalAt": {"type": "string", "format": "date-time"}
                      },
                      "required": [
                        "profile", "maxItems", "maxConcurrentRequests", "maxRequestsPerSecond", "maxReadsPerSecond",
                        "concurrency", "pace", "waiting", "cuts", "refused"
                      ],
                      "additionalProperties": false
                    },
                    "redundancy": {
                      "type": "object", "description": "The servers behind it; absent where there is one alone.",
                      "properties": {
                        "support": {"type": "string", "description": "As the server in use says: cold, warm, hot."},
                        "failovers": {"type": "integer", "description": "Since the start."},
                        "servers": {
                          "type": "array",
                          "items": {
                            "type": "object",
                            "properties": {
                              "endpointUrl": {"type": "string"},
                              "state": {"enum": ["active", "standby", "unused", "away"]},
                              "serviceLevel": {"type": "integer", "description": "As it said last."},
                              "standbyItems": {
                                "type": "integer", "description": "That sample along, to take over without a gap."
                              },
                              "lastError": {"type": "string"}
                            },
                            "required": ["endpointUrl", "state"], "additionalProperties": false
                          }
                        }
                      },
                      "required": ["failovers", "servers"], "additionalProperties": false
                    },
                    "drift": {
                      "type": "object",
                      "description": "How its model differs from the one that is accepted; absent where it does not.",
                      "properties": {
                        "since": {"type": "string", "format": "date-time"}, "words": {"type": "string"},
                        "dangerous": {"type": "boolean", "description": "An id may mean another thing now."},
                        "counts": {
                          "type": "object", "additionalProperties": {"type": "integer"},
                          "description": "By kind: {{string.Join(", ", EnumLabels.Of<DriftKind>())}}."
                        },
                        "changes": {
                          "type": "array", "description": "The first of each kind.",
                          "items": {
                            "type": "object",
                            "properties": {
                              "kind": {"enum": ["{{string.Join("\",\"", EnumLabels.Of<DriftKind>())}}"]},
                              "node": {"type": "string", "description": "The id of before, or a namespace."},
                              "was": {"type": "string"}, "is": {"type": "string"}
                            },
                            "required": ["kind", "node", "was"], "additionalProperties": false
                          }
                        }
                      },
                      "required": ["since", "words", "dangerous", "counts", "changes"],
                      "additionalProperties": false
                    },
                    "bounds": {
                      "type": "array", "description": "The limits that its answers reached.",
                      "items": {
                        "type": "object",
                        "properties": {
                          "bound": {"type": "string"}, "limit": {"type": "string"}, "count": {"type": "integer"}
                        },
                        "required": ["bound", "limit", "count"], "additionalProperties": false
                      }
                    }
                  },
                  "required": [
                    "driver", "name", "endpointUrl", "state", "since", "securityMode", "insecure", "nodes",
                    "namespaces", "counts", "bounds"
                  ],
                  "additionalProperties": false
                }
              }
            },
            "required": ["upstreams"], "additionalProperties": false
          }
        }
        """;

    private static IEnumerable<string> States => Enum.GetNames<SourceState>().Select(
        static name => name.ToLowerInvariant());

    public static ApiOperation List { get; } = new(
        """
        {
          "operationId": "getUpstreams", "tags": ["Gateway"],
          "summary": "Each configured upstream: how it stands, why, and what to do.",
          "responses": {
            "200": {
              "description": "As it is now.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Upstreams"}}}
            }
          }
        }
        """)
    {
        Schemas = static () => Schemas,
    };

    public static ApiOperation Health { get; } = new(
        """
        {
          "operationId": "getUpstreamHealth", "tags": ["Gateway"], "summary": "Whether all upstreams are served.",
          "parameters": [
            {
              "name": "name", "in": "query", "schema": {"type": "string"}, "description": "Asks for this one alone.",
              "examples": {"unknown": {"value": "Nowhere", "x-status": 404}}
            }
          ],
          "responses": {
            "200": {
              "description": "They are.",
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Upstreams"}}}
            },
            "404": {
              "description": "No upstream has that name.",
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
            },
            "503": {
              "description": "They are not: the title names those that are not served. Or the gateway is too busy.",
              "headers": {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}},
              "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
            }
          }
        }
        """)
    {
        Schemas = static () => Schemas,
    };
}
