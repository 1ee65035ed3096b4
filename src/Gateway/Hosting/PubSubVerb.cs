using System.Globalization;
using Gateway.PubSub.Captures;

namespace Gateway.Host.Hosting;

/// <summary><c>pubsub verify FILE</c>: says what is missing in a capture of JSON messages. Exit codes: 0 nothing is, 1
/// something is, or there is no message, 2 the command itself is wrong.</summary>
internal static class PubSubVerb
{
    public const string Name = "pubsub";

    private const int Missing = 1;
    private const int Misused = 2;
    private const int MaxRangesShown = 20;

    private const string Usage = """
        pubsub verify FILE    says which messages are missing in a capture, for example of
                              mosquitto_sub -t 'opcua/json/data/#' -v > FILE; FILE - is standard input
        """;

    public static int Run(ReadOnlySpan<string> arguments, TextReader input, TextWriter output, TextWriter errors)
    {
        if (arguments is not ["verify", var file])
        {
            errors.Write(Usage + "\n");
            return Misused;
        }

        try
        {
            var ledger = new CaptureLedger();
            if (file == "-")
            {
                while (input.ReadLine() is { } line)
                    ledger.Add(line);
            }
            else
            {
                foreach (var line in File.ReadLines(file))
                    ledger.Add(line);
            }

            return Tell(ledger, output);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            errors.Write(error.Message + "\n");
            return Misused;
        }
    }

    private static int Tell(CaptureLedger ledger, TextWriter output)
    {
        var all = 0L;
        foreach (var (name, writer) in ledger.Writers)
        {
            var ranges = writer.Missing.ToList();
            var missing = ranges.Sum(static range => (long)range.To - range.From + 1);
            all += missing;
            output.Write(string.Create(
                CultureInfo.InvariantCulture,
                $"{name}: {writer.Messages} messages, {missing} missing, {writer.Restarts} restarts\n"));
            foreach (var (from, to) in ranges.Take(MaxRangesShown))
                output.Write(string.Create(CultureInfo.InvariantCulture, $"  missing {from} to {to}\n"));
            if (ranges.Count > MaxRangesShown)
                output.Write(string.Create(
                    CultureInfo.InvariantCulture, $"  and {ranges.Count - MaxRangesShown} more ranges\n"));
        }

        output.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"{all} missing, {ledger.Repeats} repeats, {ledger.Others} other lines\n"));
        return all == 0 && ledger.Writers.Count > 0 ? 0 : Missing;
    }
}
