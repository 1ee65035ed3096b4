using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Clients;

/// <summary>The description of the clients: sessions that have something in common.</summary>
internal static class ClientsApi
{
    private const string Members =
        """
        {
          "key": {"type": "string", "description": "What they have in common; absent of those that have none."},
          "subject": {"type": "string", "description": "Of the certificate."},
          "sessions": {"type": "integer", "minimum": 1},
          "waiting": {"type": "integer", "minimum": 0, "description": "Sessions whose connection is gone."},
          "subscriptions": {"type": "integer", "minimum": 0}, "monitoredItems": {"type": "integer", "minimum": 0},
          "queueCapacity": {"type": "integer", "minimum": 0}, "queueOverflows": {"type": "integer", "minimum": 0},
          "notifications": {"type": "integer", "minimum": 0},
          "notificationsPerSecond": {
            "type": "number", "minimum": 0,
            "description": "Since the look before, of the sessions that were there; absent at the first look."
          },
          "lateSubscriptions": {"type": "integer", "minimum": 0}, "lateCycles": {"type": "integer", "minimum": 0},
          "since": {"type": "string", "format": "date-time", "description": "Of the oldest session."}
        }
        """;

    private static ManagementList Described => new("clients", "ClientEntry", Members);

    public static ApiOperation List { get; } = new(
        static () => $$"""
        {
          "operationId": "getClients", "tags": ["Clients"],
          "summary": "The sessions together by what their clients have in common; most sessions first.",
          "description": "Looked at once in four seconds for all who ask. By user and certificate: role SecurityAdmin.",
          "parameters": [
            {
              "name": "by", "in": "query", "required": true,
              "schema": {
                "enum": ["{{ClientEndpoints.ByUser}}", "{{ClientEndpoints.ByAddress}}",
                  "{{ClientEndpoints.ByApplication}}", "{{ClientEndpoints.ByCertificate}}"]
              },
              "examples": {
                "few": {"value": "address"}, "none": {"value": "address"}, "noCursor": {"value": "address"},
                "noField": {"value": "address"}, "words": {"value": "address"},
                "noKey": {"value": "colour", "x-status": 400}
              }
            },
            {{Described.Page}}
          ],
          "responses": {"200": {{Described.PageAnswer}} }
        }
        """,
        StatusCodes.BadUserAccessDenied, StatusCodes.BadInvalidArgument)
    {
        Schemas = static () => Described.Schemas,
    };
}
