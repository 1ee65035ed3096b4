using System.Buffers;
using Gateway.Store.Files;

namespace Gateway.Host.Auditing;

/// <summary>
/// The audit files of one folder: the chain goes on where the last process ended. Shape: numbered files of lines
/// (<see cref="AuditChain"/>), the last one grows; a full one is followed by the next; above the bound the oldest one
/// is deleted. An error leaves the chain at the last line that was written. Errors: IOException and
/// UnauthorizedAccessException. Owner: one thread at a time.
/// </summary>
internal sealed class AuditFiles : IDisposable
{
    private readonly IStoreFiles _files;
    private readonly AuditOptions _options;
    private readonly ArrayBufferWriter<byte> _output = new();
    private readonly List<AuditFile> _all = [];
    private readonly byte[] _hash = new byte[AuditChain.HashBytes];
    private readonly byte[] _nextHash = new byte[AuditChain.HashBytes];
    private IStoreFile? _file;
    private IStoreFile? _head;
    private long _number;

    private AuditFiles(IStoreFiles files, AuditOptions options) => (_files, _options) = (files, options);

    /// <summary>Of all files.</summary>
    public long Bytes { get; private set; }

    /// <summary>Of an unfinished line that the last process left, and that was removed.</summary>
    public long TornBytes { get; private set; }

    /// <summary>Faults at the ends: something is not as the last process left it.</summary>
    public List<AuditFinding> Findings { get; } = [];

    /// <summary>Lines so far, of all processes.</summary>
    public long LastNumber => _number;

    public static AuditFiles Open(IStoreFiles files, AuditOptions options)
    {
        var opened = new AuditFiles(files, options);
        opened.Recover();
        return opened;
    }

    /// <summary>Writes lines, each a JSON object and a line feed.</summary>
    /// <param name="lines">Those that were written before among them.</param>
    /// <param name="done">Bytes of them that are written; rises with each piece, also where an error ends the call.
    /// </param>
    public void Write(ReadOnlySpan<byte> lines, ref int done)
    {
        while (done < lines.Length)
        {
            var file = FileForNext();
            var last = _all[^1];
            var taken = 0;
            var number = _number;
            _hash.CopyTo(_nextHash, 0);
            _output.ResetWrittenCount();
            while (done + taken < lines.Length &&
                (_output.WrittenCount == 0 || last.Bytes + _output.WrittenCount < _options.MaxFileBytes))
            {
                var rest = lines[(done + taken)..];
                var end = rest.IndexOf((byte)'\n');
                AuditChain.Seal(rest[..end], ++number, _nextHash, _output);
                taken += end + 1;
            }

            Append(file, last);
            _number = number;
            _nextHash.CopyTo(_hash, 0);
            done += taken;
        }
    }

    /// <summary>The disk has what was written, and the end of the chain is noted.</summary>
    public void Sync()
    {
        _file?.Sync();
        if (_all.Count > 0)
            WriteHead(_all[0]);
    }

    public void Dispose()
    {
        _file?.Dispose();
        _head?.Dispose();
        _files.Dispose();
    }

    private void Append(IStoreFile file, AuditFile last)
    {
        try
        {
            file.Write(_output.WrittenSpan, last.Bytes);
        }
        catch
        {
            // A part of it may be there: the next try writes over it, and a start removes it.
            TryCut(file, last.Bytes);
            throw;
        }

        _all[^1] = last with
        {
            FirstLine = last.Bytes == 0 ? _number + 1 : last.FirstLine,
            Bytes = last.Bytes + _output.WrittenCount,
        };
        Bytes += _output.WrittenCount;
    }

    private static void TryCut(IStoreFile file, long length)
    {
        try
        {
            file.SetLength(length);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // As the write before.
        }
    }

    private IStoreFile FileForNext()
    {
        if (_all.Count == 0 || _all[^1].Bytes >= _options.MaxFileBytes)
        {
            var next = _all.Count == 0 ? 1 : _all[^1].Number + 1;
            // The head may name no line that the disk does not have.
            _file?.Sync();
            MakeRoom();
            _file?.Dispose();
            _file = null;
            _file = _files.OpenToWrite(AuditFileName.Of(next));
            _all.Add(new AuditFile(next, _number + 1, 0));
            _files.SyncNames();
        }

        return _file ??= _files.OpenToWrite(AuditFileName.Of(_all[^1].Number));
    }

    /// <summary>The head knows first, so that a file that is missing for another reason shows.</summary>
    private void MakeRoom()
    {
        while (_all.Count > 1 && Bytes + _options.MaxFileBytes > _options.MaxBytes)
        {
            var oldest = _all[0];
            WriteHead(_all[1]);
            _files.Delete(AuditFileName.Of(oldest.Number));
            _all.RemoveAt(0);
            Bytes -= oldest.Bytes;
        }
    }

    private void WriteHead(AuditFile first)
    {
        _head ??= _files.OpenToWrite(AuditHead.FileName);
        new AuditHead(first.Number, first.FirstLine, _number, Convert.ToHexStringLower(_hash)).Write(_head);
        _head.Sync();
    }

    private void Recover()
    {
        foreach (var number in AuditFileName.NumbersIn(_files.List()))
        {
            using var file = _files.OpenToRead(AuditFileName.Of(number));
            _all.Add(new AuditFile(number, FirstLineOf(file), file.Length));
            Bytes += file.Length;
        }

        // An empty file, or one with nothing but the beginning of a line, says nothing of the chain.
        for (var i = _all.Count - 1; i >= 0; i--)
        {
            if (TryRecover(i))
                break;
        }

        if (AuditHead.Read(_files) is { } head)
            CompareWith(head);
        else if (_number > 0 || Findings.Count > 0)
            Findings.Add(new AuditFinding(AuditFinding.HeadMissing, null, 0));
    }

    /// <summary>Behind a fault the chain goes on from the line that the head names, so that the fault shows.</summary>
    private void CompareWith(AuditHead head)
    {
        if (_all.Count > 0 && _all[0].Number > head.FirstFile)
            Findings.Add(new AuditFinding(AuditFinding.FilesMissing, "files", _all[0].Number - head.FirstFile));
        if (head.Number > _number)
            Findings.Add(new AuditFinding(AuditFinding.LinesMissing, "lines", head.Number - _number));
        else if (Findings.Exists(static one => one.Kind == AuditFinding.ChainLost) || HasLine(head))
            return;
        else
            Findings.Add(new AuditFinding(AuditFinding.ChainLost, "after", _number));
        _number = Math.Max(_number, head.Number);
        head.TryGetHash(_hash);
    }

    /// <summary>The line that the head names is the last one, or was followed by lines of a process that was killed
    /// before it wrote the head.</summary>
    private bool HasLine(AuditHead head)
    {
        if (head.Number == _number)
            return head.Hash == Convert.ToHexStringLower(_hash);
        var place = _all.FindLastIndex(file => file.FirstLine > 0 && file.FirstLine <= head.Number);
        if (place < 0)
            return false;
        using var file = _files.OpenToRead(AuditFileName.Of(_all[place].Number));
        var reader = new AuditFileReader(file);
        while (reader.TryRead(out var line))
        {
            if (AuditChain.NumberOf(line) == head.Number)
                return AuditChain.TryRead(line, out var link) && head.Hash == Convert.ToHexStringLower(link.Hash);
        }

        return false;
    }

    /// <summary>0: not there.</summary>
    private static long FirstLineOf(IStoreFile file)
    {
        Span<byte> start = stackalloc byte[32];
        var count = file.Read(start, 0);
        return AuditChain.NumberOf(start[..count]);
    }

    private bool TryRecover(int place)
    {
        var (number, _, length) = _all[place];
        var tail = new byte[Math.Min(length, 2 * AuditChain.MaxLineBytes)];
        using (var file = _files.OpenToRead(AuditFileName.Of(number)))
            file.Read(tail, length - tail.Length);
        var end = Array.LastIndexOf(tail, (byte)'\n');
        Cut(place, tail.Length - (end + 1));
        if (end < 0)
            return false;
        var start = end == 0 ? -1 : Array.LastIndexOf(tail, (byte)'\n', end - 1);
        var isLine = AuditChain.TryRead(tail.AsSpan(start + 1, end - start - 1), out var link);
        if (isLine && link.IsIntact)
        {
            _number = link.Number;
            link.Hash.CopyTo(_hash, 0);
        }
        else
        {
            _number = Math.Max(isLine ? link.Number : 0, AuditHead.Read(_files)?.Number ?? 0);
            Findings.Add(new AuditFinding(AuditFinding.ChainLost, "after", _number));
        }

        return true;
    }

    /// <summary>Removes a line that was not finished.</summary>
    private void Cut(int place, int torn)
    {
        if (torn == 0)
            return;
        var cut = _all[place];
        using (var file = _files.OpenToWrite(AuditFileName.Of(cut.Number)))
            file.SetLength(cut.Bytes - torn);
        _all[place] = cut with { Bytes = cut.Bytes - torn };
        Bytes -= torn;
        TornBytes += torn;
    }
}
