using Gateway.Host.Hosting;

namespace Gateway.Tests.Hosting;

/// <summary>The command that looks through a capture, as it is typed.</summary>
public sealed class PubSubVerbTests
{
    [Fact]
    public void Verify_OneMessageIsMissing_SaysWhich()
    {
        var (code, output, _) = Run(Message(1) + Message(3) + "nonsense\n", "verify", "-");

        Assert.Equal(
            (1, "p/g/w (3): 2 messages, 1 missing, 0 restarts\n  missing 2 to 2\n" +
                "1 missing, 0 repeats, 1 other lines\n"),
            (code, output));
    }

    [Fact]
    public void Verify_NothingMissing_Zero() =>
        Assert.Equal(0, Run(Message(1) + Message(2), "verify", "-").Code);

    [Fact]
    public void Verify_NoMessageAtAll_IsNotGood() => Assert.Equal(1, Run("", "verify", "-").Code);

    [Fact]
    public void Verify_NoSuchFile_SaysSo()
    {
        var (code, _, errors) = Run("", "verify", "/no/such/file");

        Assert.Equal(2, code);
        Assert.Contains("/no/such/file", errors, StringComparison.Ordinal);
    }

    [Fact]
    public void Verb_Misused_Usage() =>
        Assert.Contains("pubsub verify FILE", Run("", "verfy").Errors, StringComparison.Ordinal);

    private static string Message(int number) =>
        $$$"""{"MessageId":"{{{number}}}","MessageType":"ua-data","PublisherId":"p","WriterGroupName":"g",""" +
        $$$""" "Messages":{"DataSetWriterId":3,"DataSetWriterName":"w","SequenceNumber":{{{number}}}}}""" + "\n";

    private static (int Code, string Output, string Errors) Run(string input, params string[] arguments)
    {
        using var reader = new StringReader(input);
        using StringWriter output = new(), errors = new();
        var code = PubSubVerb.Run(arguments, reader, output, errors);
        return (code, output.ToString(), errors.ToString());
    }
}
