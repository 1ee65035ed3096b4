using System.Text;
using System.Text.RegularExpressions;

namespace Gateway.Interop.BadInput.Http;

/// <summary>Requests of both HTTP APIs, spoilt at random: the same ones each time for the same seed.</summary>
internal sealed partial class HttpCases(int seed)
{
    private readonly Random random = new(seed);

    public HttpCase Next()
    {
        (string method, string path, string? body) = Pick(HttpPieces.Requests);
        List<string> headers = body is null ? [] : ["Content-Type: application/json"];
        List<byte>? content = body is null ? null : [.. Encoding.UTF8.GetBytes(body)];
        switch (random.Next(10))
        {
            case < 5 when content is not null:
                Spoil(content);
                break;
            case < 7:
                path = Spoil(path);
                break;
            case < 9:
                AddHeaders(headers);
                break;
            default:
                method = Pick(HttpPieces.Methods);
                break;
        }

        if (content is not null && random.Next(3) == 0)
            Spoil(content);
        return Write(method, path, headers, content);
    }

    private HttpCase Write(string method, string path, List<string> headers, List<byte>? content)
    {
        bool lies = headers.Exists(static one =>
            one.StartsWith("Content-Length", StringComparison.Ordinal) ||
            one.StartsWith("Transfer", StringComparison.Ordinal));
        if (content is not null && !lies)
            headers.Add($"Content-Length: {content.Count}");
        StringBuilder head = new($"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        foreach (string header in headers)
            head.Append(header).Append("\r\n");
        byte[] bytes = [.. Encoding.Latin1.GetBytes(head.Append("\r\n").ToString()), .. content ?? []];
        bool isCut = random.Next(12) == 0;
        return new(method, path, isCut ? bytes[..random.Next(bytes.Length)] : bytes, isCut || lies);
    }

    private void AddHeaders(List<string> headers)
    {
        for (int left = 1 + random.Next(2); left > 0; left--)
        {
            string header = Pick(HttpPieces.Headers);
            if (header.StartsWith("Content-Type", StringComparison.Ordinal))
                headers.Clear();
            headers.Add(header);
        }
    }

    private string Spoil(string path)
    {
        for (int left = 1 + random.Next(3); left > 0; left--)
        {
            int at = random.Next(path.Length + 1);
            path = random.Next(4) switch
            {
                0 or 1 => path.Insert(at, Pick(HttpPieces.PathParts)),
                2 => path.Remove(at, Math.Min(path.Length - at, random.Next(6))),
                _ => path[..at],
            };
        }

        return path;
    }

    private void Spoil(List<byte> body)
    {
        for (int left = 1 + random.Next(4); left > 0; left--)
        {
            int at = random.Next(body.Count + 1);
            switch (random.Next(8))
            {
                case 0 when at < body.Count:
                    body[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    body.RemoveRange(at, body.Count - at);
                    break;
                case 2:
                    body.InsertRange(at, Pick(HttpPieces.Values));
                    break;
                case 3:
                    Replace(body, Value(), Pick(HttpPieces.Values));
                    break;
                case 4:
                    Replace(body, Name(), Encoding.UTF8.GetBytes(Pick(HttpPieces.Names)));
                    break;
                case 5:
                    Repeat(body);
                    break;
                case 6:
                    body.RemoveRange(at, Math.Min(body.Count - at, random.Next(20)));
                    break;
                default:
                    body.InsertRange(at, body.Skip(at).Take(random.Next(40)).ToArray());
                    break;
            }
        }
    }

    /// <summary>One of the places that the pattern's group finds gets other bytes.</summary>
    private void Replace(List<byte> body, Regex pattern, byte[] other)
    {
        Match[] found = pattern.Matches(Encoding.Latin1.GetString([.. body])).ToArray();
        if (found.Length == 0)
            return;
        Group place = Pick(found).Groups[1];
        body.RemoveRange(place.Index, place.Length);
        body.InsertRange(place.Index, other);
    }

    /// <summary>A member stands there twice.</summary>
    private void Repeat(List<byte> body)
    {
        Match[] found = Member().Matches(Encoding.Latin1.GetString([.. body])).ToArray();
        if (found.Length == 0)
            return;
        Match member = Pick(found);
        body.InsertRange(member.Index + member.Length, Encoding.Latin1.GetBytes("," + member.Value));
    }

    private T Pick<T>(T[] all) => all[random.Next(all.Length)];

    [GeneratedRegex("""
        :\s*("[^"]*"|-?\d+|true|null)
        """)]
    private static partial Regex Value();

    [GeneratedRegex("""
        "(\w+)":
        """)]
    private static partial Regex Name();

    [GeneratedRegex("""
        "\w+":("[^"]*"|-?\d+)
        """)]
    private static partial Regex Member();
}
