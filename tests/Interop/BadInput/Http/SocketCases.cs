using System.Text;

namespace Gateway.Interop.BadInput.Http;

/// <summary>Messages of WebSockets, spoilt at random: the same ones each time for the same seed.</summary>
/// <param name="seed">Of the random numbers.</param>
/// <param name="protocol">The sub-protocol; empty: that of values.</param>
internal sealed class SocketCases(int seed, string protocol)
{
    private static readonly string[] Operations =
    [
        """{"op":"ping","id":1}""",
        """{"op":"subscribe","id":"a","nodes":["ns=2;s=Int32","/Objects/Server"],"interval":1000}""",
        """{"op":"unsubscribe","nodes":["ns=2;s=Int32"]}""",
        """{"op":"unsubscribe"}""",
        """{"op":"rate","interval":500}""",
        """{"op":"write","id":2,"values":[{"node":"ns=2;s=Int16","value":7,"status":"Good"}]}""",
    ];

    private static readonly (int Id, string Body)[] Services =
    [
        (629, "\"NodesToRead\":[{\"NodeId\":\"ns=2;s=Int32\",\"AttributeId\":13,\"IndexRange\":\"0:1\"}]"),
        (525, "\"NodesToBrowse\":[{\"NodeId\":\"i=85\",\"BrowseDirection\":0,\"ResultMask\":63}]"),
        (552, "\"BrowsePaths\":[{\"StartingNode\":\"i=84\",\"RelativePath\":{\"Elements\":[{\"TargetName\":\"x\"}]}}]"),
        (671, "\"NodesToWrite\":[{\"NodeId\":\"i=85\",\"AttributeId\":13,\"Value\":{\"UaType\":4,\"Value\":11}}]"),
        (710, "\"MethodsToCall\":[{\"ObjectId\":\"i=85\",\"MethodId\":\"i=1\",\"InputArguments\":[{\"UaType\":6}]}]"),
        (426, "\"EndpointUrl\":\"opc.tcp://x\""),
    ];

    private static readonly string[] Pieces =
    [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "null", "-1", "1e999", "99999999999999999999", "\"\"",
        "[[[[[[[[[[[[[[[[[[[[", "\"op\"", "\"UaTypeId\"", "true", "\u0001", "ä", "\ud83d\ude00",
    ];

    private readonly Random random = new(seed);

    public byte[] Next()
    {
        StringBuilder text = new(Whole());
        for (int left = random.Next(4); left > 0 && text.Length > 1; left--)
            Spoil(text);
        byte[] bytes = Encoding.UTF8.GetBytes(text.ToString());
        if (random.Next(20) == 0)
            bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
        return bytes;
    }

    private string Whole()
    {
        if (protocol.Length == 0)
            return Operations[random.Next(Operations.Length)];
        (int id, string body) = Services[random.Next(Services.Length)];
        string fields = "\"RequestHeader\":{\"RequestHandle\":8}," + body;
        return (protocol, random.Next(2)) switch
        {
            ("opcua+openapi", _) => $$$"""{"ServiceId":"i={{{id}}}","Body":{{{{fields}}}}}""",
            (_, 0) => $$$"""{"TypeId":{"Id":{{{id}}}},"Body":{{{{fields}}}}}""",
            _ => $$"""{"UaTypeId":"i={{id}}",{{fields}}}""",
        };
    }

    private void Spoil(StringBuilder text)
    {
        int at = random.Next(text.Length);
        int length = Math.Min(random.Next(1, 8), text.Length - at);
        switch (random.Next(5))
        {
            case 0:
                text.Remove(at, Math.Min(length, text.Length - 1));
                break;
            case 1:
                text.Length = Math.Max(1, at);
                break;
            case 2:
                text.Insert(at, text.ToString(at, length));
                break;
            case 3:
                text[at] = (char)random.Next(1, 127);
                break;
            default:
                text.Insert(at, Pieces[random.Next(Pieces.Length)]);
                break;
        }
    }
}
