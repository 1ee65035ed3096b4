namespace Gateway.Rest.Services;

/// <summary>A request of each service. Those that need a session show a token and ids that another request has
/// returned.</summary>
internal static class ServiceExamples
{
    private const string Header = """
        "RequestHeader": {"AuthenticationToken": "b=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "RequestHandle": 1}
        """;

    /// <summary>A JSON object. Errors: ArgumentException for a path without one.</summary>
    public static string Of(string path) => path switch
    {
        "read" => """{"NodesToRead": [{"NodeId": "ns=2;s=ReadOnly", "AttributeId": 13}], "TimestampsToReturn": 0}""",
        "write" => """
            {"NodesToWrite": [{"NodeId": "ns=2;s=Int16", "AttributeId": 13, "Value": {"UaType": 4, "Value": 7}}]}
            """,
        "call" => """
            {
              "MethodsToCall": [
                {
                  "ObjectId": "ns=2;s=Methods", "MethodId": "ns=2;s=Add",
                  "InputArguments": [{"UaType": 6, "Value": 2}, {"UaType": 6, "Value": 3}]
                }
              ]
            }
            """,
        "historyread" => """
            {
              "HistoryReadDetails": {
                "UaTypeId": "i=647", "StartTime": "2026-01-31T12:00:00Z", "EndTime": "2026-01-31T13:00:00Z",
                "NumValuesPerNode": 100
              },
              "NodesToRead": [{"NodeId": "ns=2;s=ReadOnly"}]
            }
            """,
        "historyupdate" => """
            {"HistoryUpdateDetails": [{"UaTypeId": "i=689", "NodeId": "ns=2;s=ReadOnly", "ReqTimes": []}]}
            """,
        "browse" => """
            {
              "RequestedMaxReferencesPerNode": 2,
              "NodesToBrowse": [
                {"NodeId": "i=85", "ReferenceTypeId": "i=33", "IncludeSubtypes": true, "ResultMask": 63}
              ]
            }
            """,
        "browsenext" => """{"ReleaseContinuationPoints": true, "ContinuationPoints": ["AAECAw=="]}""",
        "translate" => """
            {
              "BrowsePaths": [
                {
                  "StartingNode": "i=84",
                  "RelativePath": {
                    "Elements": [{"ReferenceTypeId": "i=33", "IncludeSubtypes": true, "TargetName": "Objects"}]
                  }
                }
              ]
            }
            """,
        "findservers" => """{"EndpointUrl": "opc.tcp://localhost:4840"}""",
        "getendpoints" => """{"EndpointUrl": "opc.tcp://localhost:4840"}""",
        "createsession" => """{"SessionName": "example", "RequestedSessionTimeout": 60000}""",
        _ => InSession(path),
    };

    private static string InSession(string path) => path switch
    {
        "activatesession" => $$"""{ {{Header}}, "LocaleIds": ["en"]}""",
        "closesession" => $$"""{ {{Header}}, "DeleteSubscriptions": true}""",
        "cancel" => $$"""{ {{Header}}, "RequestHandle": 1}""",
        "registernodes" => $$"""{ {{Header}}, "NodesToRegister": ["ns=2;s=Int16"]}""",
        "unregisternodes" => $$"""{ {{Header}}, "NodesToUnregister": ["ns=2;s=Int16"]}""",
        "createmonitoreditems" => $$"""
            {
              {{Header}}, "SubscriptionId": 1,
              "ItemsToCreate": [
                {
                  "ItemToMonitor": {"NodeId": "ns=2;s=Double", "AttributeId": 13}, "MonitoringMode": 2,
                  "RequestedParameters": {
                    "ClientHandle": 1, "SamplingInterval": 1000, "QueueSize": 1, "DiscardOldest": true,
                    "Filter": {"UaTypeId": "i=722", "Trigger": 1, "DeadbandType": 1, "DeadbandValue": 0.5}
                  }
                }
              ]
            }
            """,
        "modifymonitoreditems" => $$"""
            {
              {{Header}}, "SubscriptionId": 1,
              "ItemsToModify": [
                {
                  "MonitoredItemId": 1,
                  "RequestedParameters": {"ClientHandle": 1, "SamplingInterval": 500, "QueueSize": 2}
                }
              ]
            }
            """,
        "setmonitoringmode" => $$"""{ {{Header}}, "SubscriptionId": 1, "MonitoringMode": 2, "MonitoredItemIds": [1]}""",
        "settriggering" => $$"""{ {{Header}}, "SubscriptionId": 1, "TriggeringItemId": 1, "LinksToAdd": [1]}""",
        "deletemonitoreditems" => $$"""{ {{Header}}, "SubscriptionId": 1, "MonitoredItemIds": [1]}""",
        "createsubscription" => $$"""
            {
              {{Header}}, "RequestedPublishingInterval": 100, "RequestedLifetimeCount": 600,
              "RequestedMaxKeepAliveCount": 20, "PublishingEnabled": true
            }
            """,
        "modifysubscription" => $$"""
            {
              {{Header}}, "SubscriptionId": 1, "RequestedPublishingInterval": 200, "RequestedLifetimeCount": 600,
              "RequestedMaxKeepAliveCount": 20
            }
            """,
        "setpublishingmode" => $$"""{ {{Header}}, "PublishingEnabled": true, "SubscriptionIds": [1]}""",
        "publish" => $$"""
            { {{Header}}, "SubscriptionAcknowledgements": [{"SubscriptionId": 1, "SequenceNumber": 1}]}
            """,
        "republish" => $$"""{ {{Header}}, "SubscriptionId": 1, "RetransmitSequenceNumber": 1}""",
        "transfersubscriptions" => $$"""{ {{Header}}, "SubscriptionIds": [1], "SendInitialValues": true}""",
        "deletesubscriptions" => $$"""{ {{Header}}, "SubscriptionIds": [1]}""",
        _ => throw new ArgumentException($"{path} has no example", nameof(path)),
    };
}
