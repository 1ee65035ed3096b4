using System.Text;

namespace Gateway.Interop.BadInput.Http;

/// <summary>Requests that are right, and what does not belong into them.</summary>
internal static class HttpPieces
{
    public static readonly (string Method, string Path, string? Body)[] Requests =
    [
        ("GET", "/api/v1/values?node=ns%3D2%3Bs%3DInt16&maxAge=0", null),
        ("POST", "/api/v1/values/read", """{"nodes":["ns=2;s=Int16","/Objects/2:Simulator","nsu=urn:x;s=y"]}"""),
        ("PUT", "/api/v1/values", """
            {"values":[{"node":"ns=2;s=Int16","value":7,"status":"Good","sourceTimestamp":"2026-01-31T12:00:00Z"},
            {"node":"ns=2;s=Double[,]","value":[[1,2,3],[4,5,6]]},{"node":"ns=2;s=Guid","value":"x"}]}
            """),
        ("GET", "/api/v1/nodes/ns=2;s=Int16?fields=node,nodeClass", null),
        ("GET", "/api/v1/nodes/ns=2;s=Methods/children?limit=2&fields=node&cursor=abc", null),
        ("GET", "/api/v1/search?q=Int16&class=Variable&fields=node,displayName&type=i=63&limit=3", null),
        ("POST", "/api/v1/call", """{"object":"ns=2;s=Methods","method":"ns=2;s=Add","inputs":{"A":2,"B":3}}"""),
        ("GET", "/api/v1/stream?node=ns%3D2%3Bs%3DInt16&interval=500", null),
        ("POST", "/api/v1/stream", """{"nodes":["ns=2;s=Int16"],"interval":1000}"""),
        ("GET", "/api/v1/admission", null),
        ("GET", "/api/v1/upstreams/health?name=Press", null),
        ("POST", "/opcua/read", """
            {"RequestHeader":{"RequestHandle":1,"TimeoutHint":1000},"MaxAge":0,"TimestampsToReturn":2,"NodesToRead":
            [{"NodeId":"ns=2;s=Int32[]","AttributeId":13,"IndexRange":"0:1","DataEncoding":"0:Default"}]}
            """),
        ("POST", "/opcua/write", """
            {"NodesToWrite":[{"NodeId":"ns=2;s=Int32","AttributeId":13,"Value":{"UaType":6,"Value":7,
            "SourceTimestamp":"2026-01-01T00:00:00Z"}}]}
            """),
        ("POST", "/opcua/call", """
            {"MethodsToCall":[{"ObjectId":"ns=2;s=Methods","MethodId":"ns=2;s=Add","InputArguments":
            [{"UaType":6,"Value":1},{"Type":6,"Body":2}]}]}
            """),
        ("POST", "/opcua/browse", """
            {"RequestedMaxReferencesPerNode":3,"NodesToBrowse":[{"NodeId":"i=85","BrowseDirection":2,
            "ReferenceTypeId":"i=33","IncludeSubtypes":true,"NodeClassMask":0,"ResultMask":63}]}
            """),
        ("POST", "/opcua/translate", """
            {"BrowsePaths":[{"StartingNode":"i=85","RelativePath":{"Elements":[{"ReferenceTypeId":"i=33",
            "IncludeSubtypes":true,"TargetName":"2:Simulator"}]}}]}
            """),
        ("POST", "/opcua/createsession", """
            {"SessionName":"x","RequestedSessionTimeout":10000,"ClientDescription":{"ApplicationUri":"urn:x"}}
            """),
        ("POST", "/opcua/publish", """
            {"RequestHeader":{"AuthenticationToken":"g=72962b91-fa75-4ae6-8d28-b404dc7daf63"}}
            """),
        ("POST", "/opcua/getendpoints", """{"EndpointUrl":"opc.tcp://x"}"""),
    ];

    public static readonly string[] Methods =
        ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "FOO", "\u0001"];

    /// <summary>Of a path or a query; a character is a byte.</summary>
    public static readonly string[] PathParts =
    [
        "%", "%2", "%zz", "%252e%252e%252f", "%2e%2e/", "../", "..%2f..%5c", "//", "%00", "%2F", "%5C", ";", "=",
        "%3B", "%25", "%E0%A4%A", "%ff%fe", "\u00e9", "?", "#", "&", "node=", "&node=", "limit=-1",
        "limit=99999999999", "cursor=AAAA", "interval=NaN", "interval=-1", "interval=1e400", "maxAge=-0", "fields=x",
        "q=%00", "+", " ", "%20", "*", new('A', 3000), "children", "ns=2;s=", "/api/v1/", "/opcua/",
    ];

    public static readonly string[] Names =
        ["x", "", "Value", "UaType", "UaBody", "nodes", "\\u0041", "constructor", "RequestHeader"];

    public static readonly byte[][] Values =
    [
        .. new[]
        {
            "NaN", "Infinity", "-Infinity", "1e999", "-1e-999", '1' + new string('0', 400), "18446744073709551616",
            "-9223372036854775809", "\uFEFF", "\0", "\"\\ud800\"", "\"\\u0000\"", new('[', 300),
            string.Concat(Enumerable.Repeat("{\"a\":", 300)), "null", "true", "\"\"", "{}", "[]", "//x\n", "/*", ",",
            ":", "}", "]", "\"", "\\", new(' ', 5000), '"' + new string('A', 20_000) + '"', "\"AQ=\"",
            """{"UaType":22,"Value":{"UaTypeId":"i=884","UaEncoding":1,"UaBody":"AAAA"}}""",
            """{"UaType":25,"Value":1}""", """{"UaType":24,"Value":{"UaType":24,"Value":{}}}""",
            """{"Array":[1],"Dimensions":[2147483647,2147483647]}""", """{"Dimensions":[0,-1],"Array":[]}""",
            "\"0000-00-00T00:00:00Z\"", "\"9999-12-31T23:59:60Z\"", "1.5", "-0", "01", "\"i=4294967296\"",
            "\"ns=70000;s=x\"", "\"nsu=;s=\"", "\"/\"",
            "\"/Objects/" + string.Concat(Enumerable.Repeat("2:a/", 200)) + '"', "\"svr=1;i=1\"", "\"s=\"",
        }.Select(Encoding.UTF8.GetBytes),
        [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80],
    ];

    /// <summary>A character is a byte.</summary>
    public static readonly string[] Headers =
    [
        "Content-Type: application/json; encoding=verbose", "Content-Type: application/json;encoding=reversible",
        "Content-Type: application/json; encoding=nonreversible", "Content-Type: text/plain",
        "Content-Type: application/json; charset=utf-16", "Content-Type: ;;;",
        "Content-Type: application/json; encoding=\"", "Accept: text/csv", "Accept: ;q=",
        "Accept: application/json; encoding=banana", "Accept: */*;q=0",
        "Accept: application/json; encoding=nonreversible", "Accept: text/csv;q=NaN, application/json;q=9",
        "Accept-Language: " + string.Concat(Enumerable.Repeat("de,", 500)), "Accept-Language: \u00ff",
        "If-None-Match: *", "If-None-Match: \"", "Last-Event-ID: x-1", "Last-Event-ID: -",
        "Last-Event-ID: " + new string('9', 200), "Last-Event-ID: 00-99999999999999999999",
        "Transfer-Encoding: chunked", "Transfer-Encoding: gzip", "Content-Length: -1", "Content-Length: 5",
        "Content-Length: 99999999999999999999", "Expect: 100-continue", "Content-Encoding: gzip", "Range: bytes=0-1",
        "Upgrade: websocket\r\nConnection: Upgrade", "X-A: " + new string('b', 9000), ": x", "A\0: b", "Host: evil",
        "Origin: http://x", "Authorization: Basic !!!", "Cookie: " + string.Concat(Enumerable.Repeat("a=b;", 100)),
    ];
}
