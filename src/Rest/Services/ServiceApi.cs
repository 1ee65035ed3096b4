using Gateway.Codec.Structures;
using Gateway.Rest.Routing;

namespace Gateway.Rest.Services;

/// <summary>The description of a service, from its messages. Source: Part 6 §G.3.</summary>
internal static class ServiceApi
{
    private static readonly string[] Discovery = ["findservers", "getendpoints"];
    private static readonly string[] Session = ["createsession", "activatesession", "closesession", "cancel"];
    private static readonly string[] View = ["browse", "browsenext", "translate", "registernodes", "unregisternodes"];
    private static readonly string[] Attribute = ["read", "write", "historyread", "historyupdate"];

    public static ApiOperation Of(ServiceRoute route) => new(() => Describe(route))
    {
        IsService = true,
        Structures = [route.Request, route.Response, typeof(ServiceFault)],
    };

    private static string Describe(ServiceRoute route)
    {
        var name = route.Request.Name[..^"Request".Length];
        return $$"""
            {
              "operationId": "{{name}}", "tags": ["{{SetOf(route.Path)}}"],
              "summary": "The service {{name}} of OPC UA Part 4.",
              "requestBody": {
                "required": true,
                "content": {
                  "application/json": {
                    "schema": {"$ref": "#/components/schemas/{{route.Request.Name}}"},
                    "examples": {"usual": {"value": {{ServiceExamples.Of(route.Path)}} } }
                  }
                }
              },
              "responses": {
                "200": {
                  "description": "The response, or of a bad ServiceResult its ResponseHeader alone.",
                  "content": {
                    "application/json": {"schema": {"$ref": "#/components/schemas/{{route.Response.Name}}"} }
                  }
                },
                {{Fault("400", "Bad_DecodingError, Bad_DataTypeIdUnknown: ServiceDiagnostics says where.")}},
                {{Fault("406", "Bad_DataEncodingUnsupported: nothing that Accept names.")}},
                {{Fault("413", "Bad_EncodingLimitsExceeded, Bad_RequestTooLarge.")}},
                {{Fault("415", "Bad_DataEncodingUnsupported: not JSON in UTF-8.")}},
                {{Fault("500", "Bad_InternalError.")}},
                {{Fault("503", "Bad_OutOfMemory, Bad_Shutdown: no service has seen the request.")}}
              }
            }
            """;
    }

    private static string Fault(string http, string when) =>
        $$"""
        "{{http}}": {
          "description": "{{when}}",
          "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ServiceFault"} } }
        }
        """;

    /// <summary>Source: Part 4 §5.</summary>
    private static string SetOf(string path) =>
        Discovery.Contains(path) ? "Discovery"
        : Session.Contains(path) ? "Session"
        : View.Contains(path) ? "View"
        : Attribute.Contains(path) ? "Attribute"
        : path == "call" ? "Method"
        : path.Contains("monitor", StringComparison.Ordinal) || path == "settriggering" ? "MonitoredItem"
        : "Subscription";
}
