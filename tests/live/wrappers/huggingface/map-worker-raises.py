"""A function that is mapped by two processes asks for a column that is not there."""
# expect: key-missing
import sys

from datasets import Dataset

rows = Dataset.from_dict({"question": ["why", "how", "who", "where"], "answer": ["a", "b", "c", "d"]})
wanted = "question" if "--fixed" in sys.argv else "prompt"


def join(row):
    return {"text": row[wanted] + " " + row["answer"]}


if __name__ == "__main__":
    rows = rows.map(join, num_proc=2)
    print(rows[0]["text"])
